import {describe, expect, test} from 'vitest';
import type {ProvisioningStep} from '../../../../src/domain/computers/computer.ts';
import type {KnownSession} from '../../../../src/domain/known.ts';
import {activityOf, type RoledMessage} from '../../../../src/domain/sessions/activity.ts';
import {sessionItems} from '../../../../src/state/sessions/session-items.ts';
import {statusSource} from '../../../../src/state/sessions/session-look.ts';
import {emptyOutbox, fleet, knownComputer, knownSession, listsOf, noon} from '../../../support/fleet.ts';

type InstallCase = {
	readonly status?: string;
	readonly known?: Partial<KnownSession>;
	/** When its messages were read, ms after noon. */
	readonly after?: number;
};

const archived: Partial<KnownSession> = {session: {sessionId: 's', sessionSettings: {archivedAt: 'then'}}};

/** A session whose messages are these, read this long after noon. */
function activeSession(messages: readonly RoledMessage[], after: number) {
	const activity = activityOf({messages, isWhole: true, changed: new Set<string>(), now: noon + after});
	return knownSession('s', {...(activity && {activity})});
}

describe('the session of an install step', () => {
	const output: RoledMessage = {
		message: {id: 'm1', content: [{text: 'web $ npm ci'}], createdAt: noon + 1_000},
		role: 'tool',
	};
	const installed = (
		step: Partial<ProvisioningStep>,
		{status = 'provisioning', known = {}, after = 600_000}: InstallCase = {},
	) => {
		const provisioningSteps = [{name: 'install', installSessionId: 's', startedAt: noon, ...step}];
		const session = {...activeSession([output], after), origin: 'install-step' as const, ...known};
		const computer = {status, createdAt: noon - 86_400_000, provisioningSteps};
		const data = fleet([session], [knownComputer('c', computer)]);
		return {data, item: sessionItems(data, emptyOutbox)[0]};
	};

	test.each<[string, Partial<ProvisioningStep>, InstallCase, string, string, number?]>([
		['has not begun', {status: 'pending', startedAt: undefined}, {}, 'pending', 'working'],
		['is silent', {status: 'in_progress'}, {}, 'working', 'working', noon],
		['is done', {status: 'completed', completedAt: noon + 9_000}, {after: 0}, 'idle', 'idle', noon + 9_000],
		['was skipped', {status: 'skipped'}, {}, 'idle', 'idle'],
		['has failed', {status: 'failed', completedAt: noon + 9_000}, {}, 'error', 'idle', noon + 9_000],
	])('%s: follows the step, not the age of its output', (_, step, more, state, group, since) => {
		const {item} = installed(step, more);
		expect(item).toMatchObject({state, group, source: 'step', ...(since && {since})});
	});

	test.each([
		['in_progress', ' · for 10m'],
		['completed', ' · install 10m ago'],
	])('shows how long it has been %s', (status, said) => {
		const {item} = installed({status, completedAt: noon});
		expect(item && statusSource(item, noon + 600_000)).toBe(said);
	});

	test('gives the reason if the step failed, but only the computer needs the user and is counted', () => {
		const step = {status: 'failed', error: 'npm ci: no disk\nmore'};
		const {data, item} = installed(step, {status: 'error'});
		expect(item?.reason).toBe('npm ci: no disk');
		const lists = listsOf(data);
		expect(lists.needs.map(({kind}) => kind)).toEqual(['computer']);
		expect(lists.counts.failed).toBe(1);
	});

	test("has no waiting time if the retry hasn't begun", () => {
		const step = {status: 'pending', startedAt: undefined};
		const {item} = installed(step, {status: 'active'});
		expect(item).toMatchObject({state: 'pending', source: 'step'});
		expect(item?.since).toBeUndefined();
	});

	test.each<[string, Partial<ProvisioningStep>, InstallCase]>([
		['never ran', {status: 'pending'}, {status: 'error'}],
		['is archived', {status: 'in_progress'}, {known: archived}],
	])("doesn't take its state from the step if it %s", (_, step, more) => {
		expect(installed(step, more).item?.source).not.toBe('step');
	});

	test('goes by its messages after the step if the user has written in it', () => {
		const question: RoledMessage = {
			message: {id: 'm2', content: [{text: 'Why?'}], createdAt: noon + 2_000},
			role: 'user',
		};
		const known = activeSession([output, question], 3_000);
		const step = {completedAt: noon + 9_000};
		expect(installed({status: 'failed', ...step}, {known}).item).toMatchObject({
			state: 'working',
			source: 'activity',
		});
		expect(installed({status: 'in_progress'}, {known}).item?.source).toBe('step');
	});

	test('needs the user if its agent asks before the step is over', () => {
		const question: RoledMessage = {
			message: {id: 'm2', content: [{text: 'Which registry shall I use?'}], createdAt: noon + 2_000},
			role: 'assistant',
		};
		const known = activeSession([output, question], 600_000);
		expect(installed({status: 'in_progress'}, {known}).item).toMatchObject({state: 'input', group: 'needs'});
		expect(installed({status: 'completed'}, {known}).item?.state).toBe('idle');
	});

	test("goes by its messages if the computer can't be read", () => {
		const {data} = installed({status: 'in_progress'});
		const problems = new Map([['c', {what: 'No such computer.', at: noon}]]);
		expect(sessionItems({...data, problems}, emptyOutbox)[0]?.state).toBe('idle');
	});
});
