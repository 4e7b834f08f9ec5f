import {simpleText} from './simple-text.ts';

const simple = new RegExp(`^[\\x1b\\n${simpleText}]*$`);

/**
 * Replaces `Intl.Segmenter` in the bundle: the first one costs 9 ms, Ink's libraries create five at load, and most text
 * can be split without it. The build injects this file.
 */
export class LazySegmenter {
	readonly #arguments: ConstructorParameters<typeof Intl.Segmenter>;
	#real: Intl.Segmenter | undefined;

	constructor(...args: ConstructorParameters<typeof Intl.Segmenter>) {
		this.#arguments = args;
	}

	segment(input: string): Iterable<Intl.SegmentData> & Pick<Intl.Segments, 'containing'> {
		if (simple.test(input)) {
			const parts = Array.from(input, (segment, index) => ({segment, index, input}));
			return Object.assign(parts, {containing: (index = 0) => parts[index]});
		}
		// `Intl.Segmenter` would be replaced by this class.
		const Real: typeof Intl.Segmenter = Reflect.get(Intl, 'Segmenter');
		this.#real ??= new Real(...this.#arguments);
		return this.#real.segment(input);
	}
}
