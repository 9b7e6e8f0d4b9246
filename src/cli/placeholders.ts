export function withPlaceholders(path: string): string {
  return path.replace(':project_id', '{project}').replace(':parent_lookup_organization_id', '{organization}')
}
