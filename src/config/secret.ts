import {inspect} from 'node:util';

/** A value that never shows itself: printed, logged or put in JSON it is `***`. `reveal` is for the wire alone. */
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
