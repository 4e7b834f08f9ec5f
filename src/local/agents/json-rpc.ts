import {z} from 'zod';
import {type JsonLines, startJsonLines} from './json-lines.ts';

const id = z.union([z.string().max(200), z.number()]);
const message = z.object({
	id: id.nullish(),
	method: z.string().max(200).optional(),
	params: z.unknown().optional(),
	result: z.unknown().optional(),
	error: z
		.object({code: z.number().optional(), message: z.string().catch(''), data: z.unknown().optional()})
		.optional(),
});

type RpcId = z.infer<typeof id>;

/** The client's answer to a request was an error; the message is raw. */
export class RpcError extends Error {
	override readonly name = 'RpcError';
	readonly code: number | undefined;

	constructor(message: string, code?: number) {
		super(message);
		this.code = code;
	}
}

/** A JSON-RPC peer over standard input and output. */
export type JsonRpc = {
	readonly lines: JsonLines;
	/** Rejects with `RpcError` when the client answers with an error or ends. */
	request(method: string, params: unknown): Promise<unknown>;
	notify(method: string, params: unknown): void;
	respond(id: RpcId, result: unknown): void;
};

type Start = Omit<Parameters<typeof startJsonLines>[0], 'onMessage'> & {
	readonly onNotification: (method: string, params: unknown) => void;
	/** Gets a request to us; answered with `respond`. Returns false for a method we don't have. */
	readonly onRequest: (id: RpcId, method: string, params: unknown) => boolean;
};

export function startJsonRpc({onNotification, onRequest, ...start}: Start): JsonRpc {
	let lastId = 0;
	const open = new Map<RpcId, {resolve: (result: unknown) => void; reject: (error: RpcError) => void}>();

	const lines = startJsonLines({
		...start,
		onMessage(raw) {
			const read = message.safeParse(raw);
			if (!read.success) return;
			const {id, method, params, result, error} = read.data;
			if (method !== undefined && id !== undefined && id !== null) {
				if (!onRequest(id, method, params))
					lines.send({jsonrpc: '2.0', id, error: {code: -32_601, message: `no method ${method}`}});
			} else if (method !== undefined) onNotification(method, params);
			else if (id !== undefined && id !== null) {
				const waiting = open.get(id);
				open.delete(id);
				if (error) waiting?.reject(new RpcError(wordsOf(error), error.code));
				else waiting?.resolve(result);
			}
		},
	});
	void lines.ended.then(why => {
		for (const {reject} of open.values()) reject(new RpcError(why));
		open.clear();
	});
	return {
		lines,
		async request(method, params) {
			if (lines.isEnded) throw new RpcError(await lines.ended);
			const id = ++lastId;
			const {promise, resolve, reject} = Promise.withResolvers<unknown>();
			open.set(id, {resolve, reject});
			lines.send({jsonrpc: '2.0', id, method, params});
			return promise;
		},
		notify: (method, params) => lines.send({jsonrpc: '2.0', method, params}),
		respond: (id, result) => lines.send({jsonrpc: '2.0', id, result}),
	};
}

/** The message of an error; clients often put the useful words into `data`. */
function wordsOf({message, data}: {readonly message: string; readonly data?: unknown}): string {
	const details = z
		.union([z.string(), z.object({details: z.string()}).transform(({details}) => details)])
		.safeParse(data);
	return details.success && details.data !== message ? `${message}: ${details.data}` : message;
}
