/** Servers refuse these values of project settings, although the service's document calls the fields free-form. */
import { isObject } from '../../json/exact.ts'
import { invalid, type RequestBody } from '../call.ts'

export function checkSettings({ values }: RequestBody): void {
  for (const [field, check] of Object.entries(rules)) {
    const value = Object.hasOwn(values, field) ? values[field] : null
    if (value !== null && value !== undefined) check(field, value)
  }
}

/** Servers trim texts first. */
function refuseBlankItems(field: string, value: unknown): void {
  const isBlank = (one: unknown) => typeof one === 'string' && one.trim() === ''
  if (Array.isArray(value) && value.some(isBlank)) throw invalid(field, 'This field may not be blank.', 'blank')
}

const rules: Readonly<Record<string, (field: string, value: unknown) => void>> = {
  session_recording_linked_flag(field, value) {
    const names = namesOf(field, value)
    const known = ['id', 'key', 'variant']
    if (!names.includes('id') || !names.includes('key') || names.some(name => !known.includes(name))) {
      throw invalid(field, "Must provide a dictionary with only 'id' and 'key' or 'id', 'key' and 'variant' keys.")
    }
  },
  session_recording_network_payload_capture_config(field, value) {
    const known = ['recordHeaders', 'recordBody']
    if (namesOf(field, value).some(name => !known.includes(name))) {
      throw invalid(field, "Must provide a dictionary with only 'recordHeaders' and 'recordBody' keys.")
    }
  },
  session_recording_minimum_duration_milliseconds(field, value) {
    if (Number(value) < 0) throw invalid(field, 'Ensure this value is greater than or equal to 0.', 'min_value')
    if (Number(value) > 30_000) throw invalid(field, 'Ensure this value is less than or equal to 30000.', 'max_value')
  },
  access_control(field) {
    throw invalid(field, 'access_control is deprecated. Leave it out, or give null.')
  },
  app_urls: refuseBlankItems,
  person_display_name_properties: refuseBlankItems,
  live_events_columns: refuseBlankItems,
  recording_domains: refuseBlankItems,
  autocapture_exceptions_errors_to_ignore(field, value) {
    if (!Array.isArray(value)) throw invalid(field, `Must provide a list for field: ${field}.`)
    if (!value.every(one => typeof one === 'string'))
      throw invalid(field, `Must provide a list of strings to field: ${field}.`)
  },
}

function namesOf(field: string, value: unknown): string[] {
  if (isObject(value)) return Object.keys(value)
  throw invalid(field, 'Must provide a dictionary or None.')
}
