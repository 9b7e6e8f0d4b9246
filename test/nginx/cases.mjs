/** What nginx does to requests, and what the program must make of it. */
import { emailOf } from '../../scripts/bench/served.mjs'

const pass = 'location / { proxy_pass http://sandbox; proxy_set_header Host $http_host; }'
const prefixed = 'location /analytics/ { proxy_pass http://sandbox/; proxy_set_header Host $http_host; }'
const twice = 'location / { proxy_pass http://losing; }'
const reading = ['persons', 'list', '--all', '--page-size', '300', '-o', 'ids']
const page = status => `(${status}): a proxy or firewall responded with a web page`

/** For all servers. `losing` sends a DELETE again to its second server, since the first one ends the connection. */
export const settings = ({ upstream, losing }) => [
  `upstream sandbox { server ${upstream}; }`,
  `upstream losing { server ${losing} max_fails=0; server ${losing} max_fails=0; }`,
  'limit_req_zone $server_port zone=rate:1m rate=20r/s;',
  'limit_conn_zone $server_port zone=connections:1m;',
]

/**
 * Each row: a name, lines of the configuration of the server, a command line, and what is expected: at most so many requests,
 * the exit code (0), words on stderr, and the outcomes in the receipt. `some` makes a file of new persons.
 */
export function cases({ some, backup, server }) {
  const deleting = (count, ...more) => ['persons', 'delete', '--yes', '--from', some(count), ...more]
  const byEmail = count => ['persons', 'delete', '--yes', '--emails-from', some(count, emailOf)]
  const secured = [`ssl_certificate ${server.certificate};`, `ssl_certificate_key ${server.key};`, pass]
  const rows = [
    ['a path prefix', [prefixed], reading, { prefix: 'analytics/', requests: 4, rows: 1000 }],
    [
      'gzip',
      ['gzip on; gzip_types application/json; gzip_min_length 1;', pass],
      reading,
      { requests: 4, rows: 1000, logged: 'gzip' },
    ],
    ['HTTP/2', secured, deleting(20), { requests: 20, accepted: 20 }],
    [
      'connections that end after 1 s',
      ['keepalive_timeout 1s;', pass],
      deleting(4, '--rate', '45/m'),
      { requests: 4, accepted: 4 },
    ],
    [
      'connections that end after 3 requests',
      ['keepalive_requests 3;', pass],
      deleting(50),
      { requests: 50, accepted: 50 },
    ],
    [
      '429 beyond 20 requests a second',
      ['limit_req zone=rate; limit_req_status 429;', pass],
      deleting(60),
      { requests: 75, accepted: 60 },
    ],
    [
      '503 beyond 3 requests at once',
      ['limit_conn connections 3;', pass],
      deleting(60),
      { requests: 80, accepted: 60 },
    ],
    ...[404, 405].map(status => [
      `a page with ${status} for each DELETE`,
      [`if ($request_method = DELETE) { return ${status}; }`, pass],
      deleting(5),
      { exit: 5, requests: 5, says: page(status), left: 5 },
    ]),
    [
      'a page with 413 for a batch',
      ['client_max_body_size 100;', pass],
      deleting(5, '--batch', '5'),
      { requests: 9, accepted: 5 },
    ],
    [
      'a page with 414 for many emails',
      ['large_client_header_buffers 4 1k;', pass],
      byEmail(40),
      { requests: 82, accepted: 40 },
    ],
    [
      'a page with 502',
      ['location / { proxy_pass http://127.0.0.1:1; }'],
      deleting(5, '--retries', '1'),
      { exit: 8, requests: 10, failed: 5 },
    ],
    ['a page with 503', ['return 503;'], deleting(5, '--retries', '1'), { exit: 8, requests: 10, failed: 5 }],
    [
      'a login prompt of its own',
      [`auth_basic staff; auth_basic_user_file ${server.key};`, pass],
      deleting(5),
      { exit: 4, requests: 5, says: 'a proxy or firewall responded with a login prompt', left: 5 },
    ],
    ['a DELETE sent twice', [twice], deleting(5), { exit: 3, requests: 20, says: '5 not found', gone: 5 }],
    [
      'a DELETE sent twice, of persons who were read',
      [twice],
      deleting(5, '--backup', backup),
      { requests: 25, gone: 5 },
    ],
    ['a DELETE sent twice, with events', [twice], deleting(5, '--delete-events'), { exit: 3, requests: 20, failed: 5 }],
    ['http:// to a server of https://', secured, deleting(5), { scheme: 'http', exit: 5, says: page(400), left: 5 }],
  ]
  return rows.map(([name, lines, args, expected]) => ({ name, lines, args, exit: 0, requests: 5, ...expected }))
}
