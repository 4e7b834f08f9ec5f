import {ifPossible} from '../../domain/if-possible.ts';

/** One invalid field. `path` is its name, with dots for nested fields. */
type FieldError = {readonly path: string; readonly message: string};

const titles: Readonly<Record<number, string>> = {
	400: 'Bad request',
	401: 'Unauthorized',
	404: 'Not found',
	405: 'Method not allowed',
	409: 'Conflict',
	413: 'Body too large',
	415: 'Unsupported media type',
	421: 'Misdirected request',
	500: 'Internal error',
	502: 'Bad gateway',
	503: 'Unreachable',
};

/** A request that the service rejects with an error status; the message becomes the `detail`. */
export class Refusal extends Error {
	override readonly name = 'Refusal';
	readonly status: number;
	readonly errors: readonly FieldError[];
	/** The kind of problem, for clients that act on it. */
	readonly type: string | undefined;

	constructor(status: number, detail: string, errors: readonly FieldError[] = [], type?: string) {
		super(detail);
		this.status = status;
		this.errors = errors;
		this.type = type;
	}

	get title(): string {
		return titles[this.status] ?? 'Error';
	}
}

export function badField(path: string, message: string): Refusal {
	return new Refusal(400, `${path}: ${message}`, [{path, message}]);
}

export function notFound(kind: string, id: string): Refusal {
	return new Refusal(404, `there is no ${kind} ${id}`);
}

/** A request as an endpoint sees it: authorized and parsed. `body` is undefined when there was none. */
type LocalRequest = {
	readonly params: Readonly<Record<string, string>>;
	readonly query: URLSearchParams;
	readonly body: unknown;
	readonly idempotencyKey: string | undefined;
};

export type Route = {
	readonly method: 'GET' | 'POST' | 'PATCH';
	/** `:name` matches one path segment. */
	readonly path: string;
	readonly status: 200 | 201 | 202;
	handle(request: LocalRequest): unknown;
};

type Handle = Route['handle'];

export function get(path: string, handle: Handle): Route {
	return {method: 'GET', path, status: 200, handle};
}

export function post(path: string, status: Route['status'], handle: Handle): Route {
	return {method: 'POST', path, status, handle};
}

export function patch(path: string, handle: Handle): Route {
	return {method: 'PATCH', path, status: 200, handle};
}

export type Router = ReturnType<typeof createRouter>;

export function createRouter(routes: readonly Route[]) {
	const compiled = routes.map(route => ({route, parts: route.path.split('/')}));
	return {
		/** Throws `Refusal` 404 for an unknown path and 405 for a known path with another method. */
		find(method: string, path: string) {
			const parts = path.split('/');
			const matches = compiled.flatMap(({route, parts: pattern}) => {
				const params = matchParts(pattern, parts);
				return params ? [{route, params}] : [];
			});
			const match = matches.find(({route}) => route.method === method);
			if (match) return match;
			if (matches.length > 0) throw new Refusal(405, `${method} is not allowed here`);
			throw new Refusal(404, `there is no endpoint ${path}`);
		},
	};
}

function matchParts(
	pattern: readonly string[],
	parts: readonly string[],
): Record<string, string> | undefined {
	if (pattern.length !== parts.length) return undefined;
	const params: Record<string, string> = {};
	for (const [index, expected] of pattern.entries()) {
		const part = parts[index] ?? '';
		if (expected.startsWith(':') && part !== '')
			params[expected.slice(1)] = ifPossible(() => decodeURIComponent(part)) ?? part;
		else if (expected !== part) return undefined;
	}
	return params;
}
