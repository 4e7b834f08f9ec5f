import {expect, test} from 'vitest';
import {acknowledge, snooze} from '../../../src/actions/acknowledge-and-snooze.ts';
import type {ActionContext} from '../../../src/actions/context.ts';
import {forgetMachine} from '../../../src/actions/machines.ts';
import {forgetSession} from '../../../src/actions/sessions.ts';
import {archiveSessions, restoreSessions} from '../../../src/actions/several-sessions.ts';
import {RejectedError} from '../../../src/api/errors.ts';
import type {SessionItem} from '../../../src/state/sessions/session-items.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {fleet, knownComputer, knownSession} from '../../support/fleet.ts';

const subject = {kind: 'session', id: 's'} as const;
const archived = {sessionId: 'old', sessionSettings: {archivedAt: '2026-11-01T00:00:00Z'}};
const item = {...subject, name: 's', episode: 'e', state: 'done'} as SessionItem;

test.each<[string, (context: ActionContext) => unknown, RegExp]>([
	[
		'acknowledging',
		context => acknowledge(context, {subject, episode: 'e'}, 'done'),
		/^Acknowledged: .* news; u undoes this$/,
	],
	[
		'snoozing',
		context => snooze(context, {subject, episode: 'e'}, 'hour'),
		/^Snoozed: .* for 1 hour; u undoes this$/,
	],
	[
		'forgetting a session',
		context => forgetSession(context, 's'),
		/^Session forgotten here, .*; u undoes this$/,
	],
	[
		'forgetting a machine',
		context => forgetMachine(context, 'c'),
		/^Computer forgotten; .*; N adds it again$/,
	],
	[
		'archiving some of several',
		context =>
			archiveSessions(context, [
				item,
				{...item, id: 'refused', name: 'refused'},
				{...item, id: 'old', known: knownSession('old', {session: archived})},
				{...item, id: 'hooked', client: 'claude'},
			]),
		/^Archived 1 of 2; refused: No; u shows it here again \(the .*\); left out: 1 archived already, 1 in another terminal$/,
	],
	[
		'restoring',
		context => restoreSessions(context, ['old']),
		/^1 session listed again here \(the service keeps it archived\); X archives it again$/,
	],
])('the notice of %s says what it did and what undoes it', async (_, act, expected) => {
	const service = {
		sessions: {
			update: async (sessionId: string) => {
				if (sessionId === 'refused') throw new RejectedError('No.', {hint: '', status: 400});
				return {sessionId};
			},
		},
		computers: {forget: async () => {}},
	};
	const {actions, stores} = appParts(fakeClock(), {service: service as never});
	stores.fleet.setState(
		fleet([knownSession('s'), knownSession('old', {session: archived})], [knownComputer('c')]),
	);
	await act(actions);
	expect(stores.notices.getState().list[0]?.text).toMatch(expected);
});
