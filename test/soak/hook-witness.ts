import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {setTimeout as delay} from 'node:timers/promises';
import {parentPort, workerData} from 'node:worker_threads';
import {KeptEvents} from './kept-events.ts';
import {linesOf} from './lines-of.ts';
import {Failures, type Finding} from './part.ts';

/** A flood and who looks after it, in a thread of their own: whoever times keys must not wait for them. */
export type WitnessTask = {
	readonly senderFile: string;
	readonly env: NodeJS.ProcessEnv;
	/** Events a second, and in all. */
	readonly rate: number;
	readonly count: number;
	/** The file that the program keeps its events in. */
	readonly database: string;
};

/** What the witness says: how far the flood is, and at the very end what was found. */
export type Testimony =
	| {readonly acknowledged: number; readonly spooled: number; readonly hasEnded: boolean}
	| {readonly findings: readonly Finding[]};

/** Between two looks at what is kept, ms: far less than a flood takes to write as many events as are kept. */
const settleEvery = 500;
/** Looks, one a second, until all that is in the spool must have been drained: it is looked into every 10 s. */
const patience = 25;

const {senderFile, env, rate, count, database} = workerData as WitnessTask;
const kept = new KeptEvents(database);
const [ends, torn] = [new Failures(), new Failures()];
/** Stop and SessionEnd by id, until they are seen on disk. */
const pending = {acknowledged: new Map<string, string>(), spooled: new Map<string, string>()};
const reported = {acknowledged: 0, spooled: 0, lost: 0};

function hear(line: string): void {
	const [how = '', id = '', event = ''] = line.split(' ');
	const isEnd = event === 'Stop' || event === 'SessionEnd';
	if (how === 'a') {
		reported.acknowledged++;
		if (isEnd) pending.acknowledged.set(id, event);
	} else if (how === 's') {
		reported.spooled++;
		if (isEnd) pending.spooled.set(id, event);
	} else {
		reported.lost++;
		if (isEnd) ends.add(`${event} ${id}: nothing kept it`);
	}
}

/** What was acknowledged is kept by now. */
function settle(): void {
	kept.settle(pending.acknowledged, torn);
	for (const [id, event] of pending.acknowledged) ends.add(`${event} ${id}: acknowledged, not kept`);
	pending.acknowledged.clear();
	kept.settle(pending.spooled, torn);
}

function say(testimony: Testimony): void {
	parentPort?.postMessage(testimony);
}

const start = performance.now();
const sender = spawn(process.execPath, [senderFile, String(rate), String(count)], {
	env,
	stdio: ['ignore', 'pipe', 'inherit'],
});
linesOf(sender.stdout, hear);
const looking = setInterval(() => {
	settle();
	say({...reported, hasEnded: false});
}, settleEvery);
await once(sender, 'close');
clearInterval(looking);
const seconds = (performance.now() - start) / 1000;
say({...reported, hasEnded: true});
settle();
for (let look = 0; pending.spooled.size > 0 && look < patience; look++) {
	await delay(1000);
	settle();
}
for (const [id, event] of pending.spooled) ends.add(`${event} ${id}: spooled, never drained`);
kept.close();
const reached = (reported.acknowledged + reported.spooled) / seconds;
say({
	findings: [
		{
			what: 'events a second, acknowledged or spooled',
			value: reached.toFixed(0),
			goal: String(rate),
			isMet: reached >= rate * 0.98,
		},
		{what: 'acknowledged', value: reported.acknowledged.toLocaleString('en')},
		{what: 'spooled: not answered in time', value: reported.spooled.toLocaleString('en')},
		{what: 'neither acknowledged nor spooled', value: reported.lost.toLocaleString('en')},
		ends.finding('Stop or SessionEnd lost'),
		torn.finding('torn'),
	],
});
