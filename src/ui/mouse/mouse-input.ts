import type {MouseReport} from '../../term/input-filter.ts';

/** The mouse, as far as the terminal gives it: reports come while it is on. */
export type MouseInput = {
	readonly isOn: () => boolean;
	/** Off, the terminal's own selection is back. */
	turn(isOn: boolean): void;
	/** Answers how to stop listening. */
	listen(listener: (report: MouseReport) => void): () => void;
};
