import {simpleText} from './simple-text.ts';

const simple = new RegExp(`^[\\x1b\\n${simpleText}]*$`);

/**
 * Replaces `Intl.Segmenter` in the bundle: the first one that is created costs 9 ms (6 % of the budget of commands),
 * and most text can be split without it. The build injects this file, so it imports nothing from `src`.
 */
export class LazySegmenter {
	#real: Intl.Segmenter | undefined;
	readonly #arguments: ConstructorParameters<typeof Intl.Segmenter>;

	constructor(...args: ConstructorParameters<typeof Intl.Segmenter>) {
		this.#arguments = args;
	}

	segment(input: string): Pick<Intl.Segments, 'containing'> & Iterable<Intl.SegmentData> {
		if (this.#arguments[1]?.granularity === 'word' || !simple.test(input)) {
			// `Intl.Segmenter` would be replaced by this class.
			const Real: typeof Intl.Segmenter = Reflect.get(Intl, 'Segmenter');
			this.#real ??= new Real(...this.#arguments);
			return this.#real.segment(input);
		}
		return new SimpleSegments(input);
	}
}

/** Segments of text whose every UTF-16 unit is a grapheme. */
class SimpleSegments {
	readonly #input: string;

	constructor(input: string) {
		this.#input = input;
	}

	containing(index = 0): Intl.SegmentData | undefined {
		const input = this.#input;
		return index >= 0 && index < input.length ? {segment: input.charAt(index), index, input} : undefined;
	}

	[Symbol.iterator](): ArrayIterator<Intl.SegmentData> {
		const input = this.#input;
		const segments = new Array<Intl.SegmentData>(input.length);
		for (let index = 0; index < input.length; index++)
			segments[index] = {segment: input.charAt(index), index, input};
		return segments[Symbol.iterator]();
	}
}
