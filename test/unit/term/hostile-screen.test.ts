import {EventEmitter} from 'node:events';
import type {WriteStream} from 'node:tty';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import {render, Text} from 'ink';
import {createElement as h} from 'react';
import {afterAll, expect, test} from 'vitest';
import type {Message} from '../../../src/domain/messages/message.ts';
import {GuardedStdout} from '../../../src/term/guarded-stdout.ts';
import {TerminalModes} from '../../../src/term/modes.ts';
import {cleanLine} from '../../../src/text/cells/clean.ts';
import {messageRows} from '../../../src/text/messages/message-rows.ts';
import {paint, themeOf} from '../../../src/ui/theme/theme.ts';
import {hostileText} from '../../support/hostile-text.ts';

/** A terminal as far as the guard knows one, and everything it did besides showing text. */
function terminal(columns: number) {
	const screen = new xterm.Terminal({cols: columns, rows: 24, convertEol: true, allowProposedApi: true});
	const events: string[] = [];
	screen.onBell(() => events.push('bell'));
	screen.onTitleChange(title => events.push(`title ${title}`));
	screen.onData(data => events.push(`reply ${data}`));
	for (const id of [0, 1, 2, 4, 7, 8, 9, 10, 52, 99, 777, 1337])
		screen.parser.registerOscHandler(id, () => {
			events.push(`osc ${id}`);
			return false;
		});
	const stream = Object.assign(new EventEmitter(), {
		columns,
		rows: 24,
		destroyed: false,
		write(text: string, callback?: () => void) {
			screen.write(text, callback);
			return true;
		},
	});
	return {screen, events, stream: stream as unknown as WriteStream};
}

const open: Array<() => void> = [];
afterAll(() => {
	for (const close of open) close();
});

/** Ink on a guarded stdout; `show` draws texts, one a row. */
function inkOn(columns: number) {
	const {screen, events, stream} = terminal(columns);
	const guarded = new GuardedStdout(stream, new TerminalModes());
	const view = (rows: readonly string[]) =>
		rows.slice(0, 20).map((row, index) => h(Text, {key: index, wrap: 'truncate'}, row));
	const ink = render(view([]), {
		stdout: guarded as unknown as WriteStream,
		interactive: true,
		debug: true,
		patchConsole: false,
	});
	open.push(() => ink.unmount());
	return {
		guarded,
		events,
		screen,
		async show(rows: readonly string[]) {
			ink.rerender(view(rows));
			await new Promise<void>(resolve => screen.write('', resolve));
		},
	};
}

/** Of all that isn't a color, Ink itself lets only this through. */
const link = '\x1b]8;;http://example.com/\x07here\x1b]8;;\x07';

test.each([20, 100])('cleaned text makes Ink write nothing foreign, %i columns', async columns => {
	const {show, guarded, events, screen} = inkOn(columns);
	const theme = themeOf({theme: 'dark', colors: 'truecolor', isDark: true, isAscii: false});
	await fc.assert(
		fc.asyncProperty(hostileText, fc.boolean(), async (raw, isExpanded) => {
			const content = [
				{text: raw},
				{type: 'tool_use', name: raw, input: {command: raw}},
				{type: raw, data: raw},
			];
			const message: Message = {id: 'm', content, chatCompletionReasoningContent: raw};
			const rows = messageRows({kind: 'message', id: 'm', message}, {width: columns, isExpanded});
			await show([paint([{text: cleanLine(raw)}], theme), ...rows.map(row => paint(row, theme))]);
			expect(guarded.foreign).toBe(0);
			expect(events).toEqual([]);
			expect(screen.buffer.active.type).toBe('normal');
		}),
		{numRuns: 200, examples: [[link, true]]},
	);
});

test('the write guard stops text that was never cleaned', async () => {
	const {show, events, screen} = inkOn(100);
	await fc.assert(
		fc.asyncProperty(hostileText, async raw => {
			await show([raw, `\x1b\x1b]0;x\x07${raw}`]);
			expect(events).toEqual([]);
			expect(screen.buffer.active.type).toBe('normal');
			expect(screen.modes.mouseTrackingMode).toBe('none');
		}),
		{numRuns: 200, examples: [[link]]},
	);
});
