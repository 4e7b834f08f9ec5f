/** One invalid field. `path` is its name, with dots for nested fields. */
export type FieldError = {readonly path: string; readonly message: string};

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
