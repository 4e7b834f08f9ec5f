/** One row of the summary: what was counted or measured, and whether it holds. */
export type Finding = {
	readonly what: string;
	readonly value: string;
	/** The goal in words. A row without one is for information only. */
	readonly goal?: string;
	readonly isMet?: boolean;
};

/** How far a part has come; printed now and then. */
export type Progress = (done: number, total: number, note?: string) => void;

/** One long set. It runs to its end whatever it finds, so that a run of an hour tells all of it. */
export type Part = {
	readonly name: string;
	readonly title: string;
	run(progress: Progress): Promise<readonly Finding[]>;
};

/** What must not happen, counted, with the first few cases to look into. */
export class Failures {
	readonly #cases: string[] = [];
	#count = 0;

	add(what: string): void {
		this.#count++;
		if (this.#cases.length >= 5) return;
		this.#cases.push(what);
		process.stderr.write(`\n✗ ${what}\n`);
	}

	get count(): number {
		return this.#count;
	}

	finding(what: string): Finding {
		return {what, value: String(this.#count), goal: '0', isMet: this.#count === 0};
	}
}

/** With `--quick`, all parts together take ten minutes on two cores. */
const isQuick = process.argv.includes('--quick');

/** How much of something a part does: what the variable says, or its full or quick length. */
export function lengthOf(variable: string, full: number, quick: number): number {
	return Number(process.env[variable] ?? (isQuick ? quick : full));
}
