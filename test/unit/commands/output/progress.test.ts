import {expect, test} from 'vitest';
import {createProgress} from '../../../../src/commands/output/progress.ts';
import {fakeClock} from '../../../support/fake-clock.ts';

function record(isTTY: boolean) {
	const written: string[] = [];
	return {written, isTTY, write: (text: string) => written.push(text)};
}

test('on a terminal, one line overwrites itself and is cleared at the end', async () => {
	const clock = fakeClock();
	const stream = record(true);
	const progress = createProgress(stream, clock);
	progress.show('too soon');
	await clock.advance(100);
	progress.show('reading users: 100');
	progress.show('too soon again');
	await clock.advance(100);
	progress.show('hostile \u001b[2J');
	progress.end();
	progress.end();
	expect(stream.written).toEqual([
		'\rreading users: 100\u001b[K',
		'\rhostile \u241b[2J\u001b[K',
		'\r\u001b[K',
	]);
});

test('elsewhere, nothing is written, however long it takes', async () => {
	const clock = fakeClock();
	const stream = record(false);
	const progress = createProgress(stream, clock);
	progress.show('reading users: 100');
	await clock.advance(60_000);
	progress.show('reading users: 200');
	progress.end();
	expect(stream.written).toEqual([]);
});
