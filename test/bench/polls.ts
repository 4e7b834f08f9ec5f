import {execFileSync} from 'node:child_process';
import {join, resolve} from 'node:path';
import {pause} from './keys.ts';
import {readProfile} from './profile.ts';
import {startTimed, usageOf} from './pty.ts';
import type {Figure} from './report.ts';
import {type BenchService, startService} from './start-service.ts';
import type {StreamingOptions} from './streamed-message.ts';
import {emptyWorld} from './world.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.cjs');
const before = 307;
/** Of an idle session in focus: polls after about 3, 5, 8, 12 and 20 s. */
const restFor = 40_000;
const newMessages = 3;
/** What a poll may bring. */
const messagesAtRest = 20;

/** What following a session asks of a service, whichever end it lists first: at rest, and when something new came. */
export async function* measurePolls(order: StreamingOptions['order']): AsyncGenerator<Figure> {
	yield* following({order, before, isBare: true}, async function* (service, shown) {
		await shown(`${before - 1} the agent`);
		// The first reading asks who wrote what, and looks once more.
		await pause(4000);
		const whole = await messageBytes(`${service.url}/api/v0/sessions/streamed/messages`, order);
		await service.counts();
		const polls = await pollsWithin(service, restFor);
		const requests = polls.reduce((sum, poll) => sum + poll.requests, 0);
		const bytes = polls.reduce((sum, poll) => sum + poll.bytes, 0);
		const detail = `${polls.length} polls in ${restFor / 1000} s`;
		yield {
			name: `${order}: requests a poll at rest`,
			value: requests / polls.length,
			unit: '',
			goal: 1,
			detail,
		};
		yield {
			name: `${order}: bytes of body a poll at rest`,
			value: bytes / polls.length,
			unit: 'bytes',
			goal: Math.ceil(messagesAtRest * whole),
			detail: `${messagesAtRest} messages`,
		};
		let asked = 0;
		let read = 0;
		for (let count = 0; count < newMessages; count++) {
			await service.counts();
			await service.add();
			await shown(`${before + count} the agent`);
			await pause(400);
			const counts = await service.counts();
			asked += counts.requests;
			read += counts.bytes;
			await pause(6000);
		}
		yield {name: `${order}: requests for a new message`, value: asked / newMessages, unit: '', goal: 3};
		yield {name: `${order}: bytes of body for it`, value: read / newMessages, unit: 'bytes'};
	});
}

/** What reading and keeping messages takes: functions of `src/api` that read answers, and each write of `src/db`. */
const parsing = /^(?:parseJson|readPage)\d*$/;
const storing = /^transaction\d*$/;

/**
 * The first walk through a long session of a service that lists the oldest first. Parse and store are their share of
 * the samples of V8's profiler in the whole program, built so that functions keep their names; garbage is theirs by
 * their share of the work.
 */
export async function* measureWalk(messages: number): AsyncGenerator<Figure> {
	const order = 'oldest first';
	const built = emptyWorld();
	try {
		execFileSync('node', [resolve(import.meta.dirname, '../../.ci/build.ts'), built.folder, 'readable']);
		const args = ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${built.folder}/profiles`];
		let seconds = 0;
		yield* following(
			{order, before: messages},
			async function* (service, shown, pid) {
				const from = performance.now();
				const before = usageOf(pid).cpu;
				await shown(`${messages - 1} the agent`);
				seconds = (performance.now() - from) / 1000;
				const cpu = (usageOf(pid).cpu - before) / 1e9;
				const {requests} = await service.counts();
				const name = `${order}: first walk of ${messages} messages, requests`;
				const detail = `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of a processor`;
				yield {name, value: requests, unit: '', detail};
			},
			[...args, join(built.folder, 'cli.cjs')],
		);
		const profile = readProfile(`${built.folder}/profiles`);
		const [parse, store] = [profile.within(parsing), profile.within(storing)];
		const garbage = (profile.garbage * (parse + store)) / profile.work;
		yield {
			name: 'the same: parse and store over wall time',
			value: (parse + store + garbage) / seconds,
			unit: '',
			goal: 0.6,
			detail: `parse ${parse.toFixed(2)} s, store ${store.toFixed(2)} s, their garbage ${garbage.toFixed(2)} s`,
		};
	} finally {
		built.remove();
	}
}

type Shown = (what: string) => Promise<unknown>;

async function* following(
	options: Partial<StreamingOptions>,
	run: (service: BenchService, shown: Shown, pid: number) => AsyncGenerator<Figure>,
	built: readonly string[] = [cli],
): AsyncGenerator<Figure> {
	const world = emptyWorld();
	const service = await startService(options);
	const program = startTimed('node', [...built, '--session', 'streamed'], {
		...world.env,
		QUARTERDECK_BASE_URL: service.url,
		QUARTERDECK_API_KEY: 'bench',
	});
	try {
		yield* run(service, what => program.shown(what, 180_000), program.pid);
	} finally {
		await program.end();
		await service.stop();
		world.remove();
	}
}

/** Requests that come together are those of one poll. */
async function pollsWithin(service: BenchService, ms: number): Promise<{requests: number; bytes: number}[]> {
	const polls: {requests: number; bytes: number}[] = [];
	let isGoingOn = false;
	for (const until = performance.now() + ms; performance.now() < until; ) {
		await pause(250);
		const counts = await service.counts();
		const last = polls.at(-1);
		if (counts.requests > 0 && isGoingOn && last) {
			last.requests += counts.requests;
			last.bytes += counts.bytes;
		} else if (counts.requests > 0) polls.push(counts);
		isGoingOn = counts.requests > 0;
	}
	return polls;
}

/** Bytes of one message in an answer with the newest ones. */
async function messageBytes(url: string, order: StreamingOptions['order']): Promise<number> {
	const cursor = order === 'oldest first' ? `&cursor=${before - messagesAtRest}` : '';
	const answer = await fetch(`${url}?limit=${messagesAtRest}${cursor}`);
	return (await answer.text()).length / messagesAtRest;
}
