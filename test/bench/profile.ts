import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/** A processor profile of a program that has ended. Times are seconds of its main thread. */
export type Profile = {
	/** Everything but rest and the collection of garbage, which is nobody's. */
	readonly work: number;
	readonly garbage: number;
	/** Time within functions of these names and all that they call. */
	within(name: RegExp): number;
};

/** Of V8's format, as much as is read here. */
type Recorded = {
	readonly nodes: readonly {
		readonly id: number;
		readonly callFrame: {readonly functionName: string};
		readonly children?: readonly number[];
	}[];
	readonly samples: readonly number[];
	/** Microseconds before each sample. */
	readonly timeDeltas: readonly number[];
};

/** Reads what `node --cpu-prof` has left in a folder. */
export function readProfile(folder: string): Profile {
	const [file = ''] = readdirSync(folder);
	const {nodes, samples, timeDeltas} = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded;
	const own = new Map<number, number>();
	for (const [index, id] of samples.entries())
		own.set(id, (own.get(id) ?? 0) + (timeDeltas[index] ?? 0) / 1e6);
	const parentOf = new Map(
		nodes.flatMap(({id, children = []}) => children.map(child => [child, id] as const)),
	);
	const nameOf = new Map(nodes.map(({id, callFrame}) => [id, callFrame.functionName]));
	const sum = (isCounted: (id: number) => boolean) =>
		nodes.reduce((time, {id}) => time + (isCounted(id) ? (own.get(id) ?? 0) : 0), 0);
	const isWithin = (id: number | undefined, name: RegExp): boolean =>
		id !== undefined && (name.test(nameOf.get(id) ?? '') || isWithin(parentOf.get(id), name));
	const nobodys = new Set(['(idle)', '(program)', '(garbage collector)']);
	return {
		work: sum(id => !nobodys.has(nameOf.get(id) ?? '')),
		garbage: sum(id => nameOf.get(id) === '(garbage collector)'),
		within: name => sum(id => isWithin(id, name)),
	};
}
