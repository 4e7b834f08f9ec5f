import {request} from 'node:http';
import type {LocalService} from '../../src/local/start-local-service.ts';

export type RawAnswer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly text: string;
};

/**
 * One request as it is written, which a well-behaved client would not send: by the service's port when it has one, else
 * by its socket.
 */
export function callRaw(
	local: Pick<LocalService, 'socket' | 'key'> & Partial<Pick<LocalService, 'port'>>,
	method: string,
	path: string,
	options: {readonly headers?: Record<string, string>; readonly body?: string | Buffer} = {},
): Promise<RawAnswer> {
	const {key, url} = local.port ?? {key: local.key};
	const headers = {
		authorization: `Bearer ${key.reveal()}`,
		...(options.body === undefined ? {} : {'content-type': 'application/json'}),
		...options.headers,
	};
	return new Promise((resolve, reject) => {
		const {hostname, port} = new URL(url ?? 'http://localhost');
		const to = url === undefined ? {socketPath: local.socket} : {hostname, port};
		const outgoing = request({...to, path, method, headers, agent: false}, response => {
			const chunks: Buffer[] = [];
			response.on('data', chunk => chunks.push(chunk));
			response.on('end', () =>
				resolve({
					status: response.statusCode ?? 0,
					headers: response.headers,
					text: Buffer.concat(chunks).toString('utf8'),
				}),
			);
			response.on('error', reject);
		});
		outgoing.on('error', reject);
		outgoing.end(options.body);
	});
}
