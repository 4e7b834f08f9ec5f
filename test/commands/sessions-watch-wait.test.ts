import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {type Commands, commandsAt} from '../support/commands.ts';
import {eventually} from '../support/eventually.ts';
import {type FakeClock, fakeClock} from '../support/fake-clock.ts';
import {type FleetService, startFleetService} from '../support/fleet-service.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {passing} from '../support/passing-time.ts';
import {builtHook} from '../support/program.ts';

const minute = 60_000;

type Setup = {
	readonly cli: Commands;
	readonly service: FleetService;
	readonly env: Record<string, string>;
	readonly clock: FakeClock;
};

/** Two sessions known to a fresh home, each with an answer that stood there before. */
async function twoSessions(): Promise<Setup> {
	const clock = fakeClock(Date.now());
	const service = await startFleetService({now: clock.now});
	const cli = commandsAt(temporaryFolder());
	const env = {QUARTERDECK_BASE_URL: service.url, QUARTERDECK_API_KEY: 'k-0123456789'};
	for (const id of ['s-1', 's-2']) {
		service.addSession(id, {computerId: 'c-1'});
		service.say(id, 'user', `Tidy up ${id}`, {ago: 10 * minute});
		service.say(id, 'assistant', `${id} is tidy.`, {ago: 9 * minute});
		await cli.run(['sessions', 'add', id], {env, clock});
	}
	return {cli, service, env, clock};
}

test('a script sends, awaits and reads an answer, even before its message is listed', async () => {
	const {cli, service, env, clock} = await twoSessions();
	const run = (...args: string[]) => passing(clock, cli.run(args, {env, clock}));
	const before = await run('sessions', 'wait', 's-1', '--for', 'done');
	expect(before).toMatchObject({code: 0, stderr: ''});
	// Read before, so the list calls it idle; the line names what was waited for.
	expect(before.stdout).toMatch(/ s-1 +done +Tidy up s-1 +s-1 is tidy\.\n$/);
	const inJson = await run('sessions', 'wait', 's-1', '--for', 'asks,done', '--json');
	expect(jsonLines(inJson.stdout)).toMatchObject([{quarterdeck: {state: 'idle', met: 'done'}}]);

	service.isListingLate = true;
	const sent = await run('send', 's-1', 'Now the tests');
	expect(sent.code).toBe(0);
	const busy = await run('sessions', 'wait', 's-1', '--for', 'failed,working', '--json');
	expect(jsonLines(busy.stdout)).toMatchObject([{sessionId: 's-1', quarterdeck: {state: 'working'}}]);
	const waiting = cli.start(['sessions', 'wait', 's-1', '--for', 'done,asks', '--json'], {env, clock});
	const reads = () => service.requests.filter(({line}) => line.startsWith('GET')).length;
	const readsBefore = reads();
	await passing(
		clock,
		eventually(() => expect(reads() - readsBefore).toBeGreaterThan(2)),
	);
	service.isListingLate = false;
	service.say('s-1', 'assistant', 'Which tests do you mean?', {ago: -1000});
	const {code, stdout} = await passing(clock, waiting.ended);
	expect(code).toBe(0);
	expect(jsonLines(stdout)).toMatchObject([
		{
			sessionId: 's-1',
			quarterdeck: {
				title: 'Tidy up s-1',
				state: 'asks',
				needsYou: true,
				evidence: 'question',
				unread: 1,
				lastWords: 'Which tests do you mean?',
				since: expect.any(Number),
				activeAt: expect.any(Number),
				at: expect.any(Number),
			},
		},
	]);
	const {stdout: answer} = await run('messages', 's-1', '--limit', '1');
	expect(answer).toContain('Which tests do you mean?');
	// What it learned is what the list says.
	const [listed] = jsonLines((await run('sessions', 'list', '--json')).stdout);
	expect(listed).toMatchObject({quarterdeck: {title: 'Tidy up s-1', state: 'asks', needsYou: true}});
	expect((await run('sessions', 'wait', 's-1')).code).toBe(0);
});

test.each([
	[
		'in a state that does not come',
		['s-1', '--for', 'failed', '--timeout', '2'],
		124,
		/after 2 s, s-1 was still not failed: it is idle/,
	],
	['a session that nobody knows', ['nowhere'], 4, /404/],
	['a state that does not exist', ['s-1', '--for', 'asks,over'], 2, /--for is asks,over/],
	['no session', [], 2, /wrong number of arguments/],
])('waiting for %s', async (_, args, code, stderr) => {
	const {cli, env, clock} = await twoSessions();
	const result = await passing(clock, cli.run(['sessions', 'wait', ...args], {env, clock}));
	expect(result).toMatchObject({code, stdout: ''});
	expect(result.stderr).toMatch(stderr);
	expect((await cli.run(['sessions', 'list'], {env})).stdout).not.toContain('nowhere');
});

test.each(['wait', 'watch'])(
	'a refused key ends %s with 3, and a service that is down ends it with 1',
	async verb => {
		const {cli, service, env, clock} = await twoSessions();
		service.refusal = {status: 401};
		const run = () => passing(clock, cli.run(['sessions', verb, 's-1'], {env, clock}));
		expect((await run()).code).toBe(3);
		service.close();
		const {code, stderr} = await run();
		expect(code).toBe(1);
		expect(stderr).toMatch(/^quarterdeck: The service can't be reached .*\n$/);
	},
);

/** Lets both sessions be read this often. */
const reads = ({service, clock}: Setup, count: number) => {
	const target = service.requests.length + count;
	return passing(
		clock,
		eventually(() => expect(service.requests.length).toBeGreaterThan(target)),
	);
};

test('watch prints a line for each change after its start', async () => {
	const setup = await twoSessions();
	const {cli, service, env, clock} = setup;
	// A turn that is over when it is first read is no change.
	service.say('s-1', 'user', 'And now?', {ago: 2 * minute});
	service.say('s-1', 'assistant', 'Now it is tidier.', {ago: minute});
	const all = cli.start(['sessions', 'watch'], {env, clock});
	const one = cli.start(['sessions', 'watch', 's-2', '--json'], {env, clock});
	await reads(setup, 16);
	service.say('s-2', 'user', 'Go on');
	await passing(clock, all.until(/s-2 +working +Tidy up s-2 +Go on\n/));
	await passing(clock, one.until(/"working"/));
	service.say('s-2', 'assistant', 'The sandbox is gone.', {isError: true});
	await passing(clock, all.until(/s-2 +failed +Tidy up s-2 +The sandbox is gone\.\n/));
	await passing(clock, one.until(/"failed"/));
	all.interrupt();
	one.interrupt();
	service.say('s-2', 'user', 'Try again');
	expect((await all.ended).code).toBe(130);
	expect((await one.ended).code).toBe(130);
	expect(all.stdout).not.toContain('s-1');
	const states = jsonLines(one.stdout).map(({quarterdeck}) => (quarterdeck as {state: string}).state);
	expect(states).toEqual(['working', 'failed']);
	expect(jsonLines(one.stdout)[1]).toMatchObject({sessionId: 's-2', quarterdeck: {at: expect.any(Number)}});
});

test('a hook event counts as a change, and ends a wait', async () => {
	const setup = await twoSessions();
	const {cli, env, clock} = setup;
	const watching = cli.start(['sessions', 'watch'], {env, clock});
	const waiting = cli.start(['sessions', 'wait', 's-1', '--for', 'asks'], {env, clock});
	await reads(setup, 8);
	const message = 'Claude needs your permission to use Bash';
	spawnSync(process.execPath, [builtHook, '--client', 'claude'], {
		timeout: 60_000,
		env: {PATH: process.env.PATH, HOME: cli.home, XDG_RUNTIME_DIR: join(cli.home, 'run'), TMPDIR: cli.home},
		input: JSON.stringify({session_id: 's-1', hook_event_name: 'Notification', message, cwd: '/work'}),
	});
	await passing(clock, watching.until(/s-1 +asks +Tidy up s-1 +Claude needs your permission to use Bash\n/));
	const {code, stdout} = await passing(clock, waiting.ended);
	expect(code).toBe(0);
	expect(stdout).toMatch(/s-1 +asks +Tidy up s-1 +Claude needs your permission to use Bash\n/);
	watching.interrupt();
	expect((await watching.ended).code).toBe(130);
});

test("watch ends with 124 after --timeout, and says which session can't be read", async () => {
	const {cli, service, env, clock} = await twoSessions();
	service.sessions.delete('s-2');
	const {code, stdout, stderr} = await passing(
		clock,
		cli.run(['sessions', 'watch', '--timeout', '4'], {env, clock}),
	);
	expect(code).toBe(124);
	expect(stdout).toBe('');
	expect(stderr).toMatch(/^quarterdeck: s-2: .*404.*\nquarterdeck: stopped watching after 4 s\n$/);
});

test('a turn goes on in silence until the service says that it is over, or is probably over if it refuses to say', async () => {
	const {cli, service, env, clock} = await twoSessions();
	const run = (...args: string[]) => passing(clock, cli.run(args, {env, clock}));
	/** A message that is sent and answered, after which the agent is silent. */
	const send = async (id: string) => {
		const sending = cli.start(['send', id, 'Run the tests', '--wait'], {env, clock});
		await passing(
			clock,
			eventually(() => expect(service.sessions.get(id)?.messages).toHaveLength(3)),
		);
		service.say(id, 'assistant', 'I run them now.');
		return sending;
	};
	const session = service.sessions.get('s-1') ?? {};
	Object.assign(session, {status: 'running'});
	const sending = await send('s-1');
	const saidAt = clock.now();
	await passing(
		clock,
		eventually(() => expect(clock.now() - saidAt).toBeGreaterThan(2 * minute)),
	);
	expect(sending.stdout).toBe('');
	expect((await run('sessions', 'list')).stdout).toMatch(/s-1 +working /);
	service.say('s-1', 'assistant', 'All pass.');
	Object.assign(session, {status: 'idle'});
	const stdout = 'I run them now.\nAll pass.\n';
	expect(await passing(clock, sending.ended)).toMatchObject({code: 0, stdout});
	expect((await run('sessions', 'list')).stdout).toMatch(/s-1 +done /);

	service.refusesProbes = true;
	const refused = await send('s-2');
	expect(await passing(clock, refused.ended)).toMatchObject({code: 7, stdout: 'I run them now.\n'});
	expect((await run('sessions', 'list')).stdout).toMatch(/s-2 +done\? /);
	expect((await run('sessions', 'wait', 's-2', '--for', 'done')).code).toBe(7);
});
