/** What nginx does to requests, and what the program must make of it. */
import { emailOf } from '../../scripts/bench/served.mjs'

const pass = 'location / { proxy_pass http://sandbox; proxy_set_header Host $http_host; }'
const twice = 'location / { proxy_pass http://losing; }'
const reading = ['persons', 'list', '--all', '--page-size', '300', '-o', 'ids']

/** For all servers. `losing` sends a DELETE again to its second server, since the first one ends the connection. */
export const settings = ({ upstream, losing }) => [
  `upstream sandbox { server ${upstream}; }`,
  `upstream losing { server ${losing} max_fails=0; server ${losing} max_fails=0; }`,
  'limit_req_zone $server_port zone=rate:1m rate=20r/s;',
  'limit_conn_zone $server_port zone=connections:1m;',
]

/**
 * `lines` configure the server; `some` makes a file of so many persons whom no other case has. Expected are the exit code,
 * at most so many requests, words on stderr, the outcomes of the receipt, and what each line of the log holds.
 */
export function cases({ some, backup, server }) {
  const deleting = (count, ...more) => ['persons', 'delete', '--yes', '--from', some(count), ...more]
  const secured = [`ssl_certificate ${server.certificate};`, `ssl_certificate_key ${server.key};`]
  return [
    {
      name: 'a path prefix',
      lines: ['location /analytics/ { proxy_pass http://sandbox/; proxy_set_header Host $http_host; }'],
      prefix: 'analytics/',
      args: reading,
      exit: 0,
      requests: 4,
      rows: 1000,
    },
    {
      name: 'gzip',
      lines: ['gzip on; gzip_types application/json; gzip_min_length 1;', pass],
      args: reading,
      exit: 0,
      requests: 4,
      rows: 1000,
      logged: 'gzip',
    },
    { name: 'HTTP/2', lines: [...secured, pass], args: deleting(20), exit: 0, requests: 20, accepted: 20 },
    {
      name: 'connections that end after 1 s',
      lines: ['keepalive_timeout 1s;', pass],
      args: deleting(4, '--rate', '45/m'),
      exit: 0,
      requests: 4,
      accepted: 4,
    },
    {
      name: 'connections that end after 3 requests',
      lines: ['keepalive_requests 3;', pass],
      args: deleting(50),
      exit: 0,
      requests: 50,
      accepted: 50,
    },
    {
      name: '429 beyond 20 requests a second',
      lines: ['limit_req zone=rate; limit_req_status 429;', pass],
      args: deleting(60),
      exit: 0,
      requests: 75,
      accepted: 60,
    },
    {
      name: '503 beyond 3 requests at once',
      lines: ['limit_conn connections 3;', pass],
      args: deleting(60),
      exit: 0,
      requests: 80,
      accepted: 60,
    },
    ...[404, 405].map(status => ({
      name: `a page with ${status} for each DELETE`,
      lines: [`if ($request_method = DELETE) { return ${status}; }`, pass],
      args: deleting(5),
      exit: 5,
      requests: 5,
      says: `(${status}): a proxy or firewall answered with a web page`,
      left: 5,
    })),
    {
      name: 'a page with 413',
      lines: ['client_max_body_size 100;', pass],
      args: deleting(5, '--batch', '5'),
      exit: 0,
      requests: 7,
      accepted: 5,
    },
    {
      name: 'a page with 414, for many e-mails at a time',
      lines: ['large_client_header_buffers 4 1k;', pass],
      args: ['persons', 'delete', '--yes', '--emails-from', some(40, emailOf)],
      exit: 0,
      requests: 82,
      accepted: 40,
    },
    {
      name: 'a page with 502',
      lines: ['location / { proxy_pass http://127.0.0.1:1; }'],
      args: deleting(5, '--retries', '1'),
      exit: 8,
      requests: 10,
      failed: 5,
    },
    {
      name: 'a page with 503',
      lines: ['return 503;'],
      args: deleting(5, '--retries', '1'),
      exit: 8,
      requests: 10,
      failed: 5,
    },
    {
      name: 'a log-in of its own',
      lines: [`auth_basic staff; auth_basic_user_file ${server.key};`, pass],
      args: deleting(5),
      exit: 4,
      requests: 5,
      says: 'a log-in of its own',
      left: 5,
    },
    {
      name: 'a DELETE that is sent twice',
      lines: [twice],
      args: deleting(5),
      exit: 3,
      requests: 20,
      says: '5 were gone already',
      gone: 5,
    },
    {
      name: 'a DELETE that is sent twice, of persons who were read',
      lines: [twice],
      args: deleting(5, '--backup', backup),
      exit: 3,
      requests: 25,
      gone: 5,
    },
    {
      name: 'a DELETE that is sent twice, with events',
      lines: [twice],
      args: deleting(5, '--delete-events'),
      exit: 3,
      requests: 20,
      failed: 5,
    },
    {
      name: 'http:// where https:// is spoken',
      lines: [...secured, pass],
      scheme: 'http',
      args: deleting(5),
      exit: 5,
      requests: 5,
      says: '(400): a proxy or firewall answered with a web page',
      left: 5,
    },
  ]
}
