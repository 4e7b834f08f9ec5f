import {expect, test} from 'vitest';
import type {Stream} from '../../../src/state/stream.ts';
import {lineText} from '../../../src/text/cells/line.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {phaseRows, phaseWord} from '../../../src/ui/stream/stream-phase.ts';
import {fleet, knownSession, listsOf, signal} from '../../support/fleet.ts';

const [served] = listsOf(fleet([knownSession('s')])).sessions;
const ready: Stream = {sessionId: 's', entries: [], hasOlder: false, phase: {name: 'ready'}, readAt: 1};

function shown(stream: Stream, item = served): string {
	if (!item) throw new Error('no item');
	const rows = phaseRows(stream, item, 0, 100, {label: () => safe`key`});
	return rows.map(({line}) => lineText(line)).join('\n');
}

test('calls a session empty only if everything that the service sent could be read', () => {
	expect(shown(ready)).toContain('No messages yet');
	expect(shown({...ready, hasUnreadable: true})).not.toContain('No messages yet');
	expect(shown({...ready, hasUnreadable: true})).toContain("can't be read");
});

test('what a session asks in its terminal is shown whole, though there is no transcript yet', () => {
	const message = 'Claude needs your permission to use Bash: rm -rf build && make all';
	const signals = [signal('s', 'needs-permission', {message})];
	const {needs} = listsOf(fleet([], [], signals));
	const [outside] = needs;
	if (outside?.kind !== 'session') throw new Error('no session');
	const problem = {what: 'There is no transcript yet', hint: 'It is read later.', at: 0, isMissing: true};
	const transcript = {path: '/t.jsonl', unreadable: 0};
	const text = shown({...ready, phase: {name: 'failed', problem}, transcript}, outside);
	expect(text).toContain(`asks: ${message}\n`);
	expect(text).toContain('There is no transcript yet. It is read later.');
	expect(text).not.toContain('✗');
});

test('says in the title that messages are missing', () => {
	if (!served) throw new Error('no item');
	const entries = [{kind: 'message', id: 'm', version: 1, message: {id: 'm'}}] as const;
	const word = (stream: Stream) => lineText(phaseWord(stream, served, undefined, false));
	expect(word({...ready, entries})).toBe('');
	expect(word({...ready, entries, hasUnreadable: true})).toBe("some messages can't be read");
});
