import {z} from 'zod';
import {startJsonLines} from './json-lines.ts';

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

type Start = Omit<Parameters<typeof startJsonLines>[0], 'onMessage'> & {
	readonly onNotification: (method: string, params: unknown) => void;
	/** Gets a request to us; answered with `respond`. Returns false for a method we don't have. */
	readonly onRequest: (id: RpcId, method: string, params: unknown) => boolean;
};

/** Starts a JSON-RPC peer over standard input and output. */
export function startJsonRpc({onNotification, onRequest, ...start}: Start) {
	let lastId = 0;
	const pending = new Map<RpcId, {resolve: (result: unknown) => void; reject: (error: RpcError) => void}>();

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
				const pendingRequest = pending.get(id);
				pending.delete(id);
				if (error) pendingRequest?.reject(new RpcError(errorText(error), error.code));
				else pendingRequest?.resolve(result);
			}
		},
	});
	void lines.ended.then(why => {
		for (const {reject} of pending.values()) reject(new RpcError(why));
		pending.clear();
	});
	return {
		lines,
		/** Rejects with `RpcError` when the client answers with an error or ends. */
		async request(method: string, params: unknown): Promise<unknown> {
			if (lines.isEnded) throw new RpcError(await lines.ended);
			const id = ++lastId;
			const {promise, resolve, reject} = Promise.withResolvers<unknown>();
			pending.set(id, {resolve, reject});
			lines.send({jsonrpc: '2.0', id, method, params});
			return promise;
		},
		notify: (method: string, params: unknown) => lines.send({jsonrpc: '2.0', method, params}),
		respond: (id: RpcId, result: unknown) => lines.send({jsonrpc: '2.0', id, result}),
	};
}

/** The message of an error; clients often put the useful words into `data`. */
function errorText({message, data}: {readonly message: string; readonly data?: unknown}): string {
	const details = z
		.union([z.string(), z.object({details: z.string()}).transform(({details}) => details)])
		.safeParse(data);
	return details.success && details.data !== message ? `${message}: ${details.data}` : message;
}
