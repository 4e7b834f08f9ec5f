import {buildHook} from '../support/built-hook.ts';
import {makeHookFolders} from '../support/hook-folders.ts';
import {type HookPayload, heldPayload, hookEvents, hookPayloads} from '../support/hook-payloads.ts';
import {type HookScene, hookScenes, type SetScene} from '../support/hook-scenes.ts';
import {runFed} from '../support/run-fed.ts';
import {Failures, lengthOf, type Part, type Progress} from './part.ts';

const total = lengthOf('SOAK_HOOK_RUNS', 100_000, 400);
/** Waiting for a program that hangs costs time and no work, so more of those wait at once. */
const lanesOf = (scene: HookScene) => (scene.name === 'all programs hang' ? 4 : 1);
/** Payloads that never end take the hook's whole deadline: one round of them in so many. */
const heldEvery = 10;
/** The hook's shortest deadline, ms. */
const endDeadline = 600;

/** S1: every scene, payload and event, with open and closed outputs, over and over. */
export const hookMatrix: Part = {
	name: 'S1',
	title: 'hook: exit 0 and silence in every cell of the fault matrix',
	async run(progress) {
		const hook = await buildHook();
		const lanes = hookScenes.flatMap(scene => Array.from({length: lanesOf(scene)}, () => scene));
		const count: Count = {
			runs: 0,
			hurried: 0,
			failed: new Failures(),
			lost: new Failures(),
			doubled: new Failures(),
		};
		try {
			await Promise.all(lanes.map(scene => runLane(scene, hook.file, count, progress)));
		} finally {
			hook.remove();
		}
		const cells = hookScenes.length * (hookPayloads.length + 1) * hookEvents.length * 2;
		return [
			{what: 'runs of the hook', value: count.runs.toLocaleString('en')},
			{what: 'in which the deadline came before the end of the input', value: String(count.hurried)},
			{what: 'cells of the matrix', value: String(cells)},
			count.failed.finding('ended with another code than 0, or wrote a byte'),
			count.lost.finding('lost though it could be kept, or kept wrong'),
			count.doubled.finding('kept under two ids'),
		];
	},
};

type Count = {
	runs: number;
	/** So loaded a machine that the client's words took longer than the hook's deadline: kept as far as they came. */
	hurried: number;
	readonly failed: Failures;
	readonly lost: Failures;
	readonly doubled: Failures;
};

/** One hook after the other in one scene, until all lanes together have run enough. */
async function runLane(scene: HookScene, hook: string, count: Count, progress: Progress): Promise<void> {
	const folders = makeHookFolders();
	const set = await scene.set(folders);
	try {
		for (let round = 0; count.runs < total; round++) {
			for (const cell of cellsOf(round)) {
				if (count.runs >= total) break;
				count.runs++;
				await runCell(hook, cell, scene, set, count);
				if (count.runs % 100 === 0) progress(count.runs, total);
			}
		}
	} finally {
		await set.close();
		folders.remove();
	}
}

type Cell = {
	readonly event: string;
	readonly payload: HookPayload;
	readonly isMute: boolean;
};

function* cellsOf(round: number): Generator<Cell> {
	const payloads = round % heldEvery === 0 ? [...hookPayloads, heldPayload] : hookPayloads;
	for (const isMute of [false, true]) {
		for (const payload of payloads) {
			for (const event of hookEvents) yield {event, payload, isMute};
		}
	}
}

async function runCell(
	hook: string,
	{event, payload, isMute}: Cell,
	scene: HookScene,
	set: SetScene,
	count: Count,
): Promise<void> {
	const cell = `${scene.name}, a payload ${payload.name}, ${event}${isMute ? ', outputs closed' : ''}`;
	const hookCommand = [process.execPath, hook, '--client', 'claude'];
	const command = isMute ? ['sh', '-c', 'exec "$0" "$@" >&- 2>&-', ...hookCommand] : hookCommand;
	const start = Date.now();
	const {code, signal, output} = await runFed(command, set.env, payload.feed(event));
	if (code !== 0 || output !== '') count.failed.add(`${cell}: ${signal ?? code} ${JSON.stringify(output)}`);
	// A program that answers late has the event, and so has the spool: the id tells that it is one. And one that is
	// read late by the second program may be of the hook before.
	const kept = [...set.received.flat(), ...set.spooled()].filter(({ts}) => ts >= start);
	const wanted = JSON.stringify(payload.data(event));
	if (scene.way !== 'nowhere' && !kept.some(({data}) => JSON.stringify(data) === wanted)) {
		const isHurried = Date.now() - start >= endDeadline && kept.some(({data}) => data.damaged !== undefined);
		if (isHurried) count.hurried++;
		else count.lost.add(`${cell}: ${JSON.stringify(kept)}`);
	}
	if (new Set(kept.map(({id}) => id)).size > 1) count.doubled.add(cell);
	await set.reset();
}
