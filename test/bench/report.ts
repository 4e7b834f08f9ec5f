/** One line of the bench: what was measured, as a ratio to its floor or in its own unit, and the goal beside it. */
export type Figure = {
	readonly name: string;
	readonly value: number;
	/** `x` for a ratio to the floor, else the unit. */
	readonly unit: string;
	readonly goal?: number;
	/** What the figure was made of, e.g. the two medians. */
	readonly detail?: string;
};

/** A ratio of two medians measured in the same rounds. */
export function ratio(name: string, value: number, floor: number, floorName: string, goal?: number): Figure {
	const detail = `${value.toFixed(2)} ms over ${floor.toFixed(2)} ms (${floorName})`;
	return {name, value: value / floor, unit: 'x', detail, ...(goal !== undefined && {goal})};
}

/** What a key of the raw Node panes took on the machine that the goals in ms are meant for, ms. */
const goalPace = 0.45;

/** A time with a goal in ms, as a ratio to a key of the raw Node panes: a slow machine doesn't make it miss its goal. */
export function paced(name: string, value: number, floor: number, goal: number): Figure {
	const detail = `${value.toFixed(2)} ms over ${floor.toFixed(2)} ms (raw Node panes), for ${goal} ms over ${goalPace} ms`;
	return {name, value: value / floor, unit: 'x', goal: Math.round(goal / goalPace), detail};
}

export function formatFigure({name, value, unit, goal, detail}: Figure): string {
	const number = value >= 100 ? value.toFixed(0) : value.toFixed(2);
	const target = goal === undefined ? '' : `goal ${goal} ${unit}`;
	const mark = goal === undefined ? ' ' : value <= goal ? '✓' : '✗';
	return `${mark} ${name.padEnd(52)} ${`${number} ${unit}`.padStart(12)}  ${target.padEnd(14)} ${detail ?? ''}`.trimEnd();
}
