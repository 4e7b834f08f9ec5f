import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer as createProxy, type IncomingMessage} from 'node:http';
import {createServer as createService} from 'node:https';
import {type AddressInfo, connect, type Server} from 'node:net';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {expect, onTestFinished, test} from 'vitest';
import {cliAt, filesHolding} from '../support/cli.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {environmentIn, openProgram} from '../support/program.ts';
import {key} from '../support/served-cli.ts';

async function portOf(server: Server): Promise<number> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => void server.close());
	return (server.address() as AddressInfo).port;
}

/** The program, a service over https with a certificate of its own, and a proxy that leads to it. */
async function behindProxy() {
	const cli = cliAt(temporaryFolder());
	const [keyFile, certificate] = [join(cli.home, 'service.key'), join(cli.home, 'service.pem')];
	const subject = ['-subj', '/CN=service.test', '-addext', 'subjectAltName=DNS:service.test'];
	const made = [
		'-newkey',
		'ec',
		'-pkeyopt',
		'ec_paramgen_curve:prime256v1',
		'-nodes',
		'-keyout',
		keyFile,
		'-out',
		certificate,
	];
	execFileSync('openssl', ['req', '-x509', ...made, ...subject], {stdio: 'ignore'});
	const asked: string[] = [];
	const noteOf = ({method, url, headers}: IncomingMessage) =>
		`${method} ${url} ${headers['proxy-authorization'] ?? '-'} ${headers.authorization ?? '-'}`;
	const service = createService(
		{key: readFileSync(keyFile), cert: readFileSync(certificate)},
		(request, response) => {
			asked.push(`service ${noteOf(request)}`);
			response.setHeader('content-encoding', 'gzip');
			response.end(gzipSync(JSON.stringify({id: 'c1', name: 'box', users: [], pagination: {}})));
		},
	);
	const servicePort = await portOf(service);
	const proxy = createProxy((request, response) => {
		asked.push(`proxy ${noteOf(request)}`);
		response.writeHead(502).end();
	});
	proxy.on('connect', (request, socket) => {
		asked.push(`proxy ${noteOf(request)}`);
		const tunnel = connect(servicePort, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			socket.pipe(tunnel).pipe(socket);
		});
		tunnel.on('error', () => socket.destroy());
		socket.on('error', () => tunnel.destroy());
	});
	const env = {
		QUARTERDECK_BASE_URL: 'https://service.test',
		QUARTERDECK_API_KEY: key,
		NODE_EXTRA_CA_CERTS: certificate,
	};
	return {cli, asked, env, proxyHost: `127.0.0.1:${await portOf(proxy)}`};
}

test('requests go through the proxy with its password, which is shown nowhere', async () => {
	const {cli, asked, env, proxyHost} = await behindProxy();
	const HTTPS_PROXY = `http://me:p%40ssword@${proxyHost}`;
	const login = `Basic ${Buffer.from('me:p@ssword').toString('base64')}`;
	const run = (...args: string[]) => cli.run(args, {env: {...env, HTTPS_PROXY, QUARTERDECK_DEBUG: '1'}});

	const got = await run('computers', 'get', 'c1', '--json');
	expect(got).toMatchObject({code: 0});
	expect(JSON.parse(got.stdout)).toMatchObject({id: 'c1', name: 'box'});
	expect(asked.filter(line => line.includes('/c1') || line.startsWith('proxy'))).toEqual([
		`proxy CONNECT service.test:443 ${login} -`,
		`service GET /api/v0/computers/c1 - Bearer ${key}`,
	]);

	const doctor = await run('doctor');
	expect(doctor.stdout).toMatch(new RegExp(`^proxy +ok +http://${proxyHost} \\(HTTPS_PROXY\\)$`, 'm'));
	const said = [got, doctor].map(({stdout, stderr}) => stdout + stderr).join('');
	for (const secret of ['p%40ssword', 'p@ssword', login.slice(6)]) {
		expect(said).not.toContain(secret);
		expect(filesHolding(cli.home, secret)).toEqual([]);
	}
});

test('a proxy that refuses is named, and the debug log has the cause', async () => {
	const {cli, env} = await behindProxy();
	const closed = createProxy();
	const port = await portOf(closed);
	closed.close();
	const proxies = {ALL_PROXY: `http://me:secret@127.0.0.1:${port}`, QUARTERDECK_DEBUG: 'warn'};
	const {code, stderr} = await cli.run(['computers', 'get', 'c1'], {env: {...env, ...proxies}});
	expect(code).toBe(1);
	expect(stderr).toContain(
		`can't be reached at https://service.test through the proxy http://127.0.0.1:${port} (ALL_PROXY): the connection was refused.`,
	);
	const strict = createProxy();
	strict.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
	const HTTPS_PROXY = `http://me:wrong@127.0.0.1:${await portOf(strict)}`;
	const refused = await cli.run(['computers', 'get', 'c1'], {env: {...env, HTTPS_PROXY}});
	expect(refused.stderr).toContain('the proxy refused the login (407). Set the user and password');
	const log = readFileSync(join(cli.stateFolder, 'debug.log'), 'utf8');
	expect(log).toMatch(/ cause name=Error code=ECONNREFUSED message=.* stack=".*\\n +at /);
	expect(log).not.toContain('secret');
});

test('a SOCKS proxy is refused before anything is sent, and the screen says so', async () => {
	const {cli, env, asked} = await behindProxy();
	const all = {...environmentIn(cli.home), ...env, all_proxy: 'socks5h://me:secret@127.0.0.1:1080'};
	const {see, press, exit} = openProgram([], all, {columns: 120, rows: 30});
	await see("✗ all_proxy is a SOCKS proxy, which isn't supported");
	press('q');
	await exit();
	expect(asked).toEqual([]);
});
