/** Whether the path stands for a file that a process has open, such as `/dev/stdout`. It must not be replaced. */
export function isDescriptorPath(path: string): boolean {
  return /^\/(dev\/(stdin|stdout|stderr|fd\/)|proc\/)/.test(path)
}
