import {expect, test} from 'vitest';
import type {Service} from '../../src/api/service.ts';
import {createKeyMap} from '../../src/ui/bindings.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {openScreen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

test('the own key that sends a message also sends the first one of a new session', async () => {
	const clock = fakeClock();
	const keys = createKeyMap({byAction: new Map([['send', ['ctrl+s']]]), problems: []});
	const sessions = {create: async () => ({sessionId: 's-new', status: 'idle'})};
	const parts = appParts(clock, {keys, service: {sessions} as unknown as Service, profile: {agent: 'shell'}});
	fillWithWork(parts.stores, clock.now());
	const opened = openScreen(parts, 120, 40);
	await opened.press('n', 'echo hi', '\x13');
	await opened.until(() => parts.calls.some(call => call.startsWith('enqueue')));
	expect(parts.calls).toContain('enqueue s-new echo hi');
});
