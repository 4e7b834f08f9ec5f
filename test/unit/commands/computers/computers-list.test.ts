import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {CommandContext} from '../../../../src/commands/cli/context.ts';
import {computers} from '../../../../src/commands/computers/computers.ts';
import {createOutput} from '../../../../src/commands/output/output.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {knownComputer, knownSession, noon} from '../../../support/fleet.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

test('lists computers as the screen does, but none as starting that was only never read', async () => {
	const clock = fakeClock(noon);
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db'), now: clock.now});
	onTestFinished(() => database.close());
	const steps = [{name: 'clone', status: 'done', startedAt: noon - 90_000, completedAt: noon}];
	database.computers.put({...knownComputer('c-up', {provisioningSteps: steps}), fetchedAt: noon});
	database.computers.put({id: 'c-new', origin: 'local', addedAt: noon});
	database.sessions.put(knownSession('s', {computerId: 'c-up'}));
	let printed = '';
	const stream = {
		isTTY: false,
		write(text: string, onWritten?: () => void) {
			printed += text;
			onWritten?.();
		},
	};
	const context = {
		clock,
		output: createOutput(false, {stdout: stream, stderr: stream}),
		flags: {is: () => false, count: () => undefined},
		signal: new AbortController().signal,
		wiring: async () => ({
			config: {unreadNeedsYou: true},
			requireService: () => undefined,
			database: async () => database,
		}),
	} as unknown as CommandContext;
	await computers.list(context);
	expect(printed).toMatch(/^c-up +✓ active .* 1\/1 +1m 30s +1 /m);
	expect(printed).toMatch(/^c-new +\? not read yet /m);
});
