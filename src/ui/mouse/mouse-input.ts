import type {MouseReport} from '../../term/guarded-stdin.ts';

/** Mouse reports from the terminal; they arrive while the mouse is on. */
export type MouseInput = {
	readonly isOn: () => boolean;
	/** Turning it off restores the terminal's own selection. */
	turn(isOn: boolean): void;
	/** Returns a function that stops listening. */
	listen(listener: (report: MouseReport) => void): () => void;
};
