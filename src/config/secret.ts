import {inspect} from 'node:util';

/** A value that prints, logs and serializes as `***`. Use `reveal` only to send, save, hash or mask it. */
export class Secret {
	readonly #value: string;

	constructor(value: string) {
		this.#value = value;
	}

	reveal(): string {
		return this.#value;
	}

	toString(): string {
		return '***';
	}

	toJSON(): string {
		return '***';
	}

	[inspect.custom](): string {
		return 'Secret(***)';
	}
}
