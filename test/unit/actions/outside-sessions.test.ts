import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, test, vi} from 'vitest';
import {continuation} from '../../../src/actions/outside-sessions.ts';
import type {Service} from '../../../src/api/service.ts';
import type {Session, SessionDraft} from '../../../src/domain/sessions/session.ts';
import {claudeTranscript} from '../../../src/transcripts/transcript-file.ts';
import {pressKey} from '../../../src/ui/mouse/zones.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock, settle} from '../../support/fake-clock.ts';
import {fleet, knownComputer, knownSession, signal} from '../../support/fleet.ts';
import {temporaryFolder} from '../../support/local-service.ts';
import {noteLine, userLine} from '../../support/transcripts.ts';

let folder = '';
beforeEach(() => {
	folder = temporaryFolder();
	vi.stubEnv('CLAUDE_CONFIG_DIR', folder);
	return () => vi.unstubAllEnvs();
});

const ended = signal('s1', 'ended', {cwd: '/srv/app/deep'});
const known = fleet([knownSession('s1', {origin: 'hook'})], [knownComputer('c1')], [ended]);

test('continues a conversation in the folder where it started, not where its client went', async () => {
	expect(await continuation(known, ended)).toMatchObject({cwd: '/srv/app/deep', resume: 's1'});
	const transcript = claudeTranscript(folder, {cwd: '/srv/app', sessionId: 's1'});
	mkdirSync(join(transcript, '..'), {recursive: true});
	writeFileSync(transcript, `${noteLine('mode')}{"cwd": "relative"}\n${userLine('no folder')}`);
	expect(await continuation(known, ended)).toMatchObject({cwd: '/srv/app/deep'});
	const lines = [noteLine('mode'), userLine('hi', {cwd: '/srv/app'}), userLine('cd', {cwd: '/srv/app/deep'})];
	writeFileSync(transcript, lines.join(''));
	expect(await continuation(known, ended)).toMatchObject({cwd: '/srv/app', resume: 's1'});
});

test('a second press while a session is being continued does nothing', async () => {
	const drafts: SessionDraft[] = [];
	const answers: ((session: Session) => void)[] = [];
	const create = (draft: SessionDraft) => {
		drafts.push(draft);
		return new Promise<Session>(resolve => answers.push(resolve));
	};
	const parts = appParts(fakeClock(), {service: {sessions: {create}} as unknown as Service});
	parts.stores.fleet.setState(known);
	parts.view.setState({focus: 'lists', cursor: {section: 'sessions', id: 's1'}});
	pressKey(parts, 'C');
	pressKey(parts, 'C');
	await expect.poll(() => answers).not.toEqual([]);
	for (const answer of answers) answer({sessionId: 'new', status: 'idle'});
	await settle();
	expect(drafts).toHaveLength(1);
	expect(parts.creating.size).toBe(0);
});

test('a client outside tmux is not switched to: where it runs is told', async () => {
	const parts = appParts(fakeClock());
	const running = signal('s1', 'working', {
		cwd: '/srv/app',
		process: {pid: process.pid},
		lastEventAt: Date.now(),
	});
	parts.stores.fleet.setState(fleet([knownSession('s1', {origin: 'hook'})], [], [running]));
	parts.view.setState({focus: 'lists', cursor: {section: 'sessions', id: 's1'}});
	pressKey(parts, 'J');
	const notices = () => parts.stores.notices.getState().list.map(({text}) => text);
	await expect
		.poll(notices)
		.toEqual([expect.stringMatching(`Outside tmux: process ${process.pid}.* in /srv/app`)]);
});
