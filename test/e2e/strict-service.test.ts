import {expect, test} from 'vitest';
import {cliAt} from '../support/cli.ts';
import {eventually} from '../support/eventually.ts';
import {startFleetService} from '../support/fleet-service.ts';
import {homeThatKnows} from '../support/forty-sessions.ts';
import {openProgram} from '../support/program.ts';

test('a screen over a service that refuses what it may says what holds a message, a computer and a page', async () => {
	const service = await startFleetService();
	const hour = 3_600_000;
	service.addSession('s-long', {status: 'running'});
	service.say('s-long', 'user', 'Run the long tests', {ago: 5000});
	service.addSession('s-over');
	service.say('s-over', 'user', 'Tidy up', {ago: hour});
	service.say('s-over', 'assistant', 'It is tidy.', {ago: hour - 60_000});
	const startedAt = Date.now() - 2 * hour;
	service.computers.set('c-1', {
		id: 'c-1',
		name: 'stuck-box',
		status: 'provisioning',
		createdAt: startedAt,
		provisioningSteps: [{id: 'clone', name: 'clone', status: 'running', startedAt}],
	});
	// The list of users, with which a start asks for the service, is not found.
	const changes = {changes: [], pagination: {hasMore: false, nextCursor: ''}};
	service.elsewhere.set('/api/v0/organization/enterprise-controls/history', {value: changes});
	const limited = {status: 429, retryAfter: 600, value: {}};
	service.elsewhere.set('/api/organization/maturity-level-reports', limited);
	const env = await homeThatKnows(service);
	const posts = () => service.requests.filter(({line}) => line.startsWith('POST')).length;

	const cli = cliAt(String(env.HOME));
	const cliEnv = {env: env as Record<string, string>};
	expect((await cli.run(['doctor'], cliEnv)).stdout).toMatch(/^service +ok /m);
	// Whatever it first reads stands since before its start.
	const watch = cli.start(['sessions', 'watch'], cliEnv);
	const {see, press, type, exit} = openProgram(['--session', 's-long'], env, {columns: 140, rows: 40});
	await see('● connected');
	await see(/! stuck-box +2h/);
	await see('stuck? · clone: no change for over a');
	await see(/Run the long tests · ● working/);
	await see('Enter write');
	press('enter');
	await see('Enter send');
	type('First after it');
	press('enter');
	await see(/First after it/);
	await see('waiting for its turn');
	type('Second after it');
	press('enter');
	await see("queued until the agent's turn ends");
	expect(posts()).toBe(1);
	press('esc');
	await see('R send now');
	press('R');
	await eventually(() => expect(posts()).toBe(2));
	service.say('s-long', 'assistant', 'The sandbox is gone.', {isError: true});
	// Its messages may have been read before that one.
	expect(await watch.until(/s-long +failed/)).toMatch(/^\S+ \S+ +s-long +failed +.*The sandbox is gone\.$/m);
	watch.child.kill('SIGINT');
	press('5');
	// As a page that waits, or that was refused.
	await see(/› Readiness[\s\S]*(?:until|before) \d\d:\d\d/);
	// Usage comes from the same origin.
	press('4');
	await see(/› Usage[\s\S]*(?:until|before) \d\d:\d\d/);
	press('q');
	await exit();
});
