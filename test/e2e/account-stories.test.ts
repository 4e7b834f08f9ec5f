import {randomUUID} from 'node:crypto';
import {rmSync} from 'node:fs';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Secret} from '../../src/config/secret.ts';
import {readSettings} from '../../src/config/settings.ts';
import {createStores, type Stores} from '../../src/state/stores.ts';
import {systemClock} from '../../src/sync/core/clock.ts';
import {Engine} from '../../src/sync/engine.ts';
import {Wiring} from '../../src/wiring.ts';
import {type Cli, jsonLines} from '../support/cli.ts';
import {addMessage, type Fault, type OrganizationService} from '../support/organization-service.ts';
import {dates, marks, type Place, setUpPlaces, shared} from '../support/places.ts';
import {runInside} from '../support/run-inside.ts';

/** For as many minutes as SOAK_ACCOUNT_MINUTES says (part A1 of the soak), or a fixed number of stories. */
const minutes = Number(process.env.SOAK_ACCOUNT_MINUTES ?? 0);
const length = 14;
/** Most of a story is waiting: so many are told side by side, each with a state folder and services of its own. */
const together = minutes > 0 ? 20 : 8;
const batches = 2;

const names = ['a1', 'a2', 'b'] as const;
const deeds = ['send', 'send', 'send', 'read', 'list', 'search', 'usage', 'wait', 'kill', 'screen'] as const;

/** One step of a random story: who does what, and what the service does with the next message and the next request. */
type Step = {
	readonly who: (typeof names)[number];
	readonly what: (typeof deeds)[number];
	readonly fault: Fault | undefined;
	readonly trouble: 'down' | 'cut' | undefined;
	readonly isShared: boolean;
};

const step: fc.Arbitrary<Step> = fc.record({
	who: fc.constantFrom(...names),
	what: fc.constantFrom(...deeds),
	fault: fc.option(fc.constantFrom('lost', 'refused', 'down', 'cut'), {nil: undefined}),
	trouble: fc.option(fc.constantFrom('down', 'cut'), {nil: undefined, freq: 4}),
	isShared: fc.boolean(),
});

const story = fc.array(step, {minLength: length, maxLength: length});

/** What a send said of its message: delivered, or kept and told so. */
type Claim = {readonly place: Place; readonly text: string; readonly code: number | null};

test(
	'two services, three keys, one state folder: whatever happens, nothing crosses and nothing is lost',
	async () => {
		let told = 0;
		let steps = 0;
		const stories = fc.asyncProperty(
			fc.array(story, {minLength: together, maxLength: together}),
			async batch => {
				await Promise.all(batch.map(tell));
				told += batch.length;
				steps += batch.flat().length;
			},
		);
		const end = performance.now() + minutes * 60_000;
		do await fc.assert(stories, {numRuns: batches, endOnFailure: true});
		while (performance.now() < end);
		if (minutes > 0) process.stdout.write(`${told} stories, ${steps} steps\n`);
	},
	Math.max(240_000, (minutes + 2) * 60_000),
);

async function tell(story: readonly Step[]): Promise<void> {
	const {cli, atA, atB, home, ...places} = await setUpPlaces();
	const others = (id: string) => names.filter(one => one !== id);
	const claims: Claim[] = [];
	/** How many requests a service had when it was known whose a key is. */
	const settledAt = new Map<string, number>();
	for (const service of [atA, atB]) service.retryAfter = 1;
	try {
		for (const [index, {who, what, fault, trouble, isShared}] of story.entries()) {
			const place = places[who];
			const service = who === 'b' ? atB : atA;
			const text = `secret of ${who}, ${index}`;
			// A session that waits for nothing: each message has its own, the same for all or not.
			const session = isShared ? `${shared}-${index}` : `session-${who}-${index}`;
			for (const one of isShared ? names : [who])
				addMessage(places[one].organization, session, `first secret of ${one}, ${index}`);
			service.faults.splice(0, 1, ...(fault ? [fault] : []));
			service.troubles.splice(0, 1, ...(trouble ? [trouble] : []));
			let shown = '';
			if (what === 'kill') await killWhileSending(cli, place, service, [session, text]);
			else if (what === 'screen') shown = await runScreen(cli, place, session);
			else {
				const commands: Record<Exclude<Step['what'], 'kill' | 'screen'>, readonly string[]> = {
					send: ['send', session, text, fault === 'lost' ? '--timeout=2' : '--no-wait'],
					read: ['messages', session, '--all'],
					list: [isShared ? 'sessions' : 'computers', 'list', '--json'],
					search: ['search', 'secret'],
					usage: ['usage', 'activity', ...dates, '--csv'],
					wait: ['outbox', 'wait', '--timeout=2'],
				};
				const {code, stdout, stderr} = await run(cli, place, ...commands[what]);
				shown = stdout + stderr;
				if (what === 'send') claims.push({place, text, code});
			}
			if (!trouble && what !== 'kill' && !settledAt.has(who)) settledAt.set(who, service.requests.length);
			for (const other of others(who)) {
				expect(shown).not.toMatch(marks(other));
				expect(shown).not.toContain(`,${places[other].organization.credits},`);
			}
		}
		for (const service of [atA, atB]) {
			service.faults.splice(0);
			service.troubles.splice(0);
			for (const {id} of service.organizations) {
				checkRequests(service, id, others(id), settledAt.get(id) ?? service.requests.length);
			}
		}
		for (const {organization} of [places.a1, places.a2, places.b]) {
			const said = saidAt(organization);
			for (const other of others(organization.id)) expect(said.join()).not.toMatch(marks(other));
			expect(new Set(said).size).toBe(said.length);
		}
		for (const claim of claims) await checkClaim(cli, claim);
	} finally {
		for (const service of [atA, atB]) service.close();
		rmSync(home, {recursive: true, force: true, maxRetries: 5});
	}
}

const run = (cli: Cli, {env}: Place, ...args: string[]) =>
	runInside(args, {...env, XDG_RUNTIME_DIR: `${cli.home}/run`}, cli.home);

function saidAt({sessions}: Place['organization']): string[] {
	return [...sessions.values()].flat().map(({content}) => JSON.stringify(content));
}

/** What was sent has arrived; what may have been, or waits, has arrived or is kept. */
async function checkClaim(cli: Cli, {place, text, code}: Claim): Promise<void> {
	const hasArrived = saidAt(place.organization).some(said => said.includes(`"${text}"`));
	if (code === 0) expect({text, hasArrived}).toEqual({text, hasArrived: true});
	if (hasArrived) return;
	const kept = jsonLines((await run(cli, place, 'outbox', 'list', '--json')).stdout);
	expect({code, kept: kept.map(item => item.text)}).toEqual({
		code,
		kept: expect.arrayContaining([text]),
	});
}

/** The screen's engine over the same state folder: it takes up what waits. Answers all that it would show. */
async function runScreen({stateFolder}: Cli, {env}: Place, session: string): Promise<string> {
	const {QUARTERDECK_BASE_URL: url = '', QUARTERDECK_API_KEY: key = ''} = env;
	const settings = await readSettings({flags: {}, env, home: stateFolder});
	const service = {baseUrl: url, appUrl: url, key: new Secret(key)};
	const {remote: _, configFile: __, ...config} = {...settings, stateFolder, service};
	const wiring = new Wiring(config, {retries: 0});
	try {
		const database = await wiring.database();
		const stores = createStores();
		const engine = new Engine({
			service: await wiring.connect(),
			database,
			stores,
			clock: systemClock,
			owner: randomUUID(),
			hooks: 'off',
		});
		await engine.start();
		const close = engine.sessions.open(session);
		await expect.poll(() => shownBy(stores)).toContain('first secret');
		close();
		await engine.stop();
		return shownBy(stores);
	} finally {
		await wiring.close();
	}
}

function shownBy({fleet, outbox, streams}: Stores): string {
	const {sessions, computers} = fleet.getState();
	const rows = [...outbox.getState().bySession.values()];
	return JSON.stringify([
		[...sessions.values()],
		[...computers.values()],
		rows,
		[...streams.getState().open.values()],
	]);
}

/**
 * What an organization's key said at a service holds nothing of the others', but ids that were asked for to tell whose
 * the key is: until the service has answered that, before request `settledAt`.
 */
function checkRequests(
	{requests, organizations}: OrganizationService,
	id: string,
	others: readonly string[],
	settledAt: number,
): void {
	for (const [index, {method, path, text, organization}] of requests.entries()) {
		if (organization !== id) continue;
		const isCheck = method === 'GET' && index < settledAt;
		for (const other of others) {
			const isHere = organizations.some(one => one.id === other);
			expect(text).not.toMatch(marks(other));
			if (!isCheck || !isHere) expect(path).not.toMatch(marks(other));
		}
	}
}

/** The program dies while its message is on the wire: whether it was taken is not known to it. */
async function killWhileSending(
	cli: Cli,
	{env}: Place,
	service: OrganizationService,
	words: readonly string[],
): Promise<void> {
	const held = Promise.withResolvers<void>();
	const {length} = service.requests;
	service.held = held.promise;
	const run = cli.start(['send', ...words], {env});
	await Promise.race([run.ended, expect.poll(() => service.requests.length).toBeGreaterThan(length)]);
	run.child.kill('SIGKILL');
	await run.ended;
	held.resolve();
	delete service.held;
}
