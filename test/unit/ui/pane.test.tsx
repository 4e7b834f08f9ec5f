import {Box} from 'ink';
import {render} from 'ink-testing-library';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {cleanLine} from '../../../src/text/cells/clean.ts';
import {span} from '../../../src/text/cells/line.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {Pane} from '../../../src/ui/kit/pane.tsx';
import {themeOf} from '../../../src/ui/theme/theme.ts';
import {ThemeContext} from '../../../src/ui/theme/use-theme.ts';

function drawn(title: string, body: string, bottom = safe`+1`): string[] {
	const {lastFrame, unmount} = render(
		<ThemeContext value={themeOf({theme: 'none', colors: 'none', isDark: true, isAscii: false})}>
			<Box width={20} height={4}>
				<Pane
					rect={{x: 0, y: 0, width: 20, height: 4}}
					title={[span(cleanLine(title))]}
					right={[span(safe`7`)]}
					bottom={[span(bottom)]}
					body={[{line: [span(cleanLine(body))]}]}
				/>
			</Box>
		</ThemeContext>,
	);
	const frame = lastFrame() ?? '';
	unmount();
	return frame.split('\n');
}

test("shows a pane's title in its border and its rows inside", () => {
	expect(drawn('Sessions', 'docs-sync')).toEqual([
		'╭─ Sessions ─── 7 ─╮',
		'│docs-sync         │',
		'│                  │',
		'╰───────────── +1 ─╯',
	]);
	expect(drawn('Sessions', 'docs-sync', safe``).at(-1)).toBe('╰──────────────────╯');
});

test.each([
	['a long title that can not fit', 'a body that is much longer than the pane'],
	['日本語のタイトル', '👩‍👩‍👧 家族 と e\u0301'],
	['\u001B[31mred', '\u001B]0;title\u0007 \u202Eback'],
])('makes every row of a pane called %j as wide as the pane', (title, body) => {
	expect(drawn(title, body).map(row => stringWidth(row))).toEqual([20, 20, 20, 20]);
});
