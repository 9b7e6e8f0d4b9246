/** nginx with one server for each case, and the servers behind it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** Each server has its `lines` of nginx's configuration. Resolves once all of them listen. */
export async function startNginx(folder, settings, servers) {
  const ports = await freePorts(servers.length)
  const log = i => join(folder, `access-${ports[i]}.log`)
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, settings, servers.map(blockAt)))
  const argv = ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]
  const nginx = spawn('nginx', argv, { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(nginx, 'exit')
  while (nginx.exitCode === null && !existsSync(join(folder, 'nginx.pid'))) await new Promise(setImmediate)
  return {
    ports,
    /** A line for each request that came to this server. */
    logged: i => readFileSync(log(i), 'utf8').split('\n').filter(Boolean),
    async close() {
      nginx.kill()
      await ended
    },
  }

  function blockAt({ lines }, i) {
    const listen = `listen 127.0.0.1:${ports[i]}${isSecured(lines) ? ' ssl http2' : ''};`
    return `server { ${[listen, `access_log ${log(i)} shown;`, ...lines].join('\n')} }`
  }
}

export function isSecured(lines) {
  return lines.some(line => line.startsWith('ssl_certificate '))
}

function configuration(folder, settings, blocks) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
${process.getuid() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
events {}
http {
log_format shown '$request_method $status $sent_http_content_encoding';
${[...temporary.map(name => `${name}_temp_path ${folder}/${name};`), ...settings, ...blocks].join('\n')}
}
`
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(server => once(server, 'listening')))
  const ports = servers.map(server => server.address().port)
  for (const server of servers) server.close()
  await Promise.all(servers.map(server => once(server, 'close')))
  return ports
}

/** A certificate that is not yet trusted, and its key. */
export function certify(folder, name) {
  const [certificate, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${name}`
  const argv = [...words.split(' '), '-addext', `subjectAltName=DNS:${name}`, '-keyout', key, '-out', certificate]
  execFileSync('openssl', argv, { stdio: 'ignore' })
  return { certificate, key }
}

/** Passes everything on, and ends the connection instead of the first response to each DELETE. */
export async function startLosing(upstream) {
  const seen = new Set()
  const server = http.createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const passed = http.request(new URL(url, upstream), { method, headers, agent: false }, answer => {
      const isFirst = method === 'DELETE' && !seen.has(url)
      if (method === 'DELETE') seen.add(url)
      if (isFirst) return outgoing.destroy()
      outgoing.writeHead(answer.statusCode, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${server.address().port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
