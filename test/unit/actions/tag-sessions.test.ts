import {expect, test} from 'vitest';
import {tagSessions} from '../../../src/actions/several-sessions.ts';
import type {Service} from '../../../src/api/service.ts';
import type {SessionSettings} from '../../../src/domain/sessions/session.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {fleet, knownSession} from '../../support/fleet.ts';

const metadata = {color: 'red'};

test.each<[string, SessionSettings | undefined, object[]]>([
	['no settings', undefined, [{name: 'a', metadata}, {name: 'c'}]],
	['settings without tags', {model: 'm'}, [{name: 'a', metadata}, {name: 'c'}]],
	['other tags', {tags: [{name: 'b'}]}, [{name: 'b'}, {name: 'c'}]],
	['no tag', {tags: []}, [{name: 'c'}]],
])(
	'adds a tag to the tags in the response, or to the known ones if it leaves them out: %s',
	async (_, answered, expected) => {
		const sent: unknown[] = [];
		const update: Service['sessions']['update'] = async (sessionId, {sessionSettings}) => {
			if (sessionSettings) sent.push(sessionSettings);
			return {sessionId, status: 'idle', ...(answered && {sessionSettings: answered})};
		};
		const {actions, stores} = appParts(fakeClock(), {service: {sessions: {update}} as Service});
		const session = {
			sessionId: 's',
			status: 'idle',
			sessionSettings: {tags: [{name: 'a', metadata, addedBy: 'someone'}]},
		};
		const known = fleet([knownSession('s', {session})]);
		stores.fleet.setState(known);
		await tagSessions(actions, [{id: 's', name: 's'}], {add: ['c'], remove: []});
		expect(sent).toEqual([{tags: expected}]);
	},
);
