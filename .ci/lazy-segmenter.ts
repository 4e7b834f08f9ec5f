import {aloneText} from './simple-text.ts';

const isAlone = new RegExp(`^${aloneText}*$`, 'v');

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
		if (isAlone.test(input)) {
			let end = 0;
			const parts = Array.from(input, segment => {
				end += segment.length;
				return {segment, index: end - segment.length, input};
			});
			return Object.assign(parts, {
				containing: (at = 0) => (at < end ? parts.findLast(({index}) => index <= at) : undefined),
			});
		}
		// `Intl.Segmenter` would be replaced by this class.
		const Real: typeof Intl.Segmenter = Reflect.get(Intl, 'Segmenter');
		this.#real ??= new Real(...this.#arguments);
		return this.#real.segment(input);
	}
}
