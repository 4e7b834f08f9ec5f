import {describe, expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {type ServedCommands, servedCommands} from '../support/commands.ts';
import {fakeClock} from '../support/fake-clock.ts';
import type {Reply} from '../support/fault-server.ts';
import {html, json} from '../support/replies.ts';

type Step = {
	readonly id?: string;
	readonly name?: string;
	readonly status?: string;
	readonly error?: string;
	readonly startedAt?: number;
	readonly completedAt?: number;
	readonly installSessionId?: string;
};

/** A service whose computer goes from one state to the next with each read, and stays in the last. */
function watched(
	states: readonly {status?: string; steps: readonly Step[]}[],
	messages?: Reply,
): Promise<ServedCommands> {
	let reads = 0;
	return servedCommands((response, request) => {
		if (request.path.endsWith('/messages')) return (messages ?? json({}, 404))(response, request);
		const {status, steps} = states[Math.min(reads++, states.length - 1)] ?? {steps: []};
		const facts = {id: 'c-1', name: 'box', providerType: 'byom', createdAt: 1_777_000_000_000};
		return json({...facts, ...(status && {status}), provisioningSteps: steps})(response, request);
	});
}

const readsOf = ({server}: ServedCommands) =>
	server.requests.filter(({path}) => path.endsWith('/c-1')).length;

describe('watching a computer ends on known words only', () => {
	const done: Step = {id: '1', name: 'clone', status: 'done'};

	test.each([
		[
			'a step whose word is unknown',
			{status: 'active', steps: [{...done, status: 'rebooting', completedAt: 1_777_000_000_500}]},
		],
		['an unknown word with an error', {status: 'active', steps: [{...done, status: 'halted', error: 'no'}]}],
		['a status that is unknown', {status: 'booting', steps: [done]}],
		['neither status nor steps', {steps: []}],
	])("doesn't end on %s", async (_, state) => {
		const setup = await watched([state, state, {status: 'active', steps: [done]}]);
		const {code} = await setup.cli.run(['computers', 'watch', 'c-1'], {env: setup.env});
		expect(code).toBe(0);
		expect(readsOf(setup)).toBe(3);
	});

	test.each([
		['up', 0, {status: 'active', steps: [done]}],
		['up without a status, by its steps', 0, {steps: [done]}],
		['in error', 1, {status: 'error', steps: [done]}],
		[
			'in error, with a word that is unknown',
			1,
			{status: 'error', steps: [{...done, status: 'halted', error: 'no'}]},
		],
		['failed in a step', 1, {status: 'provisioning', steps: [{...done, status: 'failed', error: 'no'}]}],
	])('a computer that is %s ends it with %i', async (_, expected, state) => {
		const setup = await watched([state]);
		const {code} = await setup.cli.run(['computers', 'watch', 'c-1'], {env: setup.env});
		expect(code).toBe(expected);
		expect(readsOf(setup)).toBe(1);
	});
});

test('steps without ids are told apart by their place', async () => {
	const running = {name: 'install', status: 'running'};
	const over = {name: 'install', status: 'done'};
	const begun = {status: 'provisioning', steps: [running, {name: 'install', status: 'pending'}]};
	const setup = await watched([
		begun,
		begun,
		{status: 'provisioning', steps: [over, running]},
		{status: 'active', steps: [over, over]},
	]);
	const {code, stdout} = await setup.cli.run(['computers', 'watch', 'c-1'], {
		env: setup.env,
	});
	expect(code).toBe(0);
	expect(stdout.match(/(running|pending|done)(?= +install)/g)).toEqual([
		'running',
		'pending',
		'done',
		'running',
		'done',
	]);
});

test('--timeout ends watching with 124, and says so', async () => {
	const setup = await watched([
		{status: 'provisioning', steps: [{id: '1', name: 'clone', status: 'running'}]},
	]);
	const result = await setup.cli.run(['computers', 'watch', 'c-1', '--timeout', '1'], {
		env: setup.env,
	});
	expect(result.code).toBe(124);
	expect(result.stderr).toBe('quarterdeck: the computer c-1 was not up after 1 s\n');
	const refused = await setup.cli.run(['computers', 'watch', 'c-1', '--timeout', 'soon'], {
		env: setup.env,
	});
	expect(refused.code).toBe(2);
});

test("watching a service that doesn't answer ends with the timeout, too", async () => {
	const setup = await watched([]);
	setup.server.answer(() => {});
	const clock = fakeClock(Date.now());
	const watching = setup.cli.start(['computers', 'watch', 'c-1', '--timeout', '1'], {
		env: setup.env,
		clock,
	});
	await setup.server.asked(1);
	await clock.advance(1_000);
	expect((await watching.ended).code).toBe(124);
});

test('a first read that fails is reported and repeated, unless something else answers', async () => {
	const {cli, server, env} = await servedCommands(
		json({
			id: 'c-1',
			name: 'box',
			providerType: 'byom',
			createdAt: 1_777_000_000_000,
			status: 'active',
			provisioningSteps: [],
		}),
	);
	// The client itself repeats a read once.
	const failed = json({error: 'busy', requestId: 'req-9'}, 500);
	server.answer(failed, failed);
	const {code, stderr} = await cli.run(['computers', 'watch', 'c-1'], {env});
	expect(code).toBe(0);
	expect(stderr).toBe('quarterdeck: The service failed (500): busy (request req-9). Retrying.\n');
	server.otherwise(html(200, 'Welcome'));
	expect((await cli.run(['computers', 'watch', 'c-1'], {env})).code).toBe(1);
});

test('a step is printed with the time at which it began or ended', async () => {
	const at = new Date(2026, 3, 24, 9, 30).getTime();
	const clone: Step = {id: '1', name: 'clone', status: 'done', startedAt: at, completedAt: at + 4000};
	const {cli, env} = await watched([{status: 'active', steps: [clone]}]);
	const {stdout} = await cli.run(['computers', 'watch', 'c-1'], {env});
	expect(stdout).toBe('2026-04-24 09:30:04  done      clone  4.0s\n');
});

test('install output is printed line by line as it grows, and secrets in errors are masked', async () => {
	const install = (status: string): Step => ({id: '2', name: 'install', status, installSessionId: 's-i'});
	const texts = ['one\ntw', 'one\ntwo\n10 %\r\u001b[32mthree\u001b[0m'];
	let reads = 0;
	const setup = await watched(
		[
			{status: 'provisioning', steps: [install('running')]},
			{
				status: 'error',
				steps: [
					{
						...install('failed'),
						error: '10 %\r90 %\n\u001b[31mgit\u001b[0m https://me:hunter22@host.example',
					},
				],
			},
		],
		(response, request) => {
			const text = request.query.role ? undefined : texts[Math.min(reads++, 1)];
			const messages =
				text === undefined ? [] : [{id: 'm-1', content: [{text}], createdAt: 1_777_000_000_000}];
			return json({messages, pagination: {hasMore: false}})(response, request);
		},
	);
	const {code, stdout, stderr} = await setup.cli.run(['computers', 'watch', 'c-1'], {
		env: setup.env,
	});
	expect(code).toBe(1);
	expect(stdout.split('\n').filter(line => line.startsWith('    '))).toEqual([
		'    one',
		'    two',
		'    three',
	]);
	expect(stderr).toBe('quarterdeck: install failed: 90 %␊git https://***@host.example\n');
});

test('the remaining time is shown once the steps have been timed before', async () => {
	const step = (status: string, seconds?: number): Step => ({
		id: '1',
		name: 'clone',
		status,
		startedAt: Date.now(),
		...(seconds !== undefined && {completedAt: Date.now() + seconds * 1000}),
	});
	const setup = await watched([{status: 'provisioning', steps: [step('running')]}]);
	const {cli, server, env} = setup;
	const states = [step('running'), step('done', 7200)];
	for (let run = 0; run < 3; run++) {
		const computer = (one: Step, status: string, index: number) =>
			json({id: `c-${run}`, status, provisioningSteps: [{...one, id: `${run}-${index}`}]});
		server.answer(...states.map((one, index) => computer(one, index === 0 ? 'provisioning' : 'active', 0)));
		expect((await cli.run(['computers', 'watch', `c-${run}`], {env})).code).toBe(0);
	}
	const untilPrinted = async (what: RegExp, ...flags: string[]) => {
		const run = cli.start(['computers', 'watch', 'c-1', ...flags], {env});
		const printed = await run.until(what);
		run.interrupt();
		await run.ended;
		return printed;
	};
	const human = await untilPrinted(/running +clone.*\n/);
	expect(human).toMatch(/clone +about (2h 00m|1h \d\dm) left/);
	const reported = await untilPrinted(/\n/, '--json');
	const [first] = jsonLines(reported) as {quarterdeck: {steps: {etaMs: number}}}[];
	expect(first?.quarterdeck.steps).toMatchObject({done: 0, total: 1});
	expect(first?.quarterdeck.steps.etaMs).toBeGreaterThan(1000);
});
