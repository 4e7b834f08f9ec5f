import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {ColorDepth, Rgb, ThemeName} from '../../../src/domain/display.ts';
import {cleanLine} from '../../../src/text/cells/clean.ts';
import type {Line, Tint, Tone} from '../../../src/text/cells/line.ts';
import {contrast} from '../../../src/ui/theme/colors.ts';
import {assumed, named} from '../../../src/ui/theme/palettes.ts';
import {
	dimmed,
	faintColors,
	paint,
	type Theme,
	type ThemeInput,
	themeOf,
} from '../../../src/ui/theme/theme.ts';
import {readLook} from '../../support/read-look.ts';

const theme = (name: ThemeName, more: Partial<ThemeInput> = {}): Theme =>
	themeOf({theme: name, colors: 'truecolor', isDark: true, isAscii: false, ...more});
const line: Line = [{text: cleanLine('up '), tone: 'good'}, {text: cleanLine('now')}];

describe('how a row is painted', () => {
	test.each([
		['truecolor', '\x1b[38;2;157;206;139mup \x1b[0mnow'],
		['256', '\x1b[38;5;150mup \x1b[0mnow'],
		['16', '\x1b[32mup \x1b[0mnow'],
		['none', 'up now'],
	] as const)('in %s', (colors, painted) => {
		expect(paint(line, theme('auto', {colors}))).toBe(painted);
	});

	test("without colors, inverts the cursor's row but not what is inverse in it, and makes headings bold", () => {
		const plain = theme('none');
		expect(paint([{text: cleanLine('a')}], plain, true)).toBe('\x1b[7ma\x1b[0m');
		expect(paint([{text: cleanLine('a'), inverse: true}], plain, true)).toBe('a');
		expect(paint([{text: cleanLine('a'), inverse: true}], plain)).toBe('\x1b[7ma\x1b[0m');
		expect(paint([{text: cleanLine('a'), tone: 'heading'}], plain)).toBe('\x1b[1ma\x1b[0m');
	});

	test("keeps the color of the cursor's row under every span", () => {
		const painted = paint(line, theme('dark'), true);
		expect(painted.match(/\x1b\[48;2;\d+;\d+;\d+;38;2/g)).toHaveLength(2);
		expect(painted.endsWith('\x1b[0m')).toBe(true);
	});

	test('replaces everything we draw in ASCII, with the same width', () => {
		const drawn = cleanLine('╭─ ▌● ✓ · 日本 ─╮');
		expect(paint([{text: drawn}], theme('none', {isAscii: true}))).toBe('+- >* + . 日本 -+');
	});
});

const depths: readonly ColorDepth[] = ['truecolor', '256'];
const kinds = ['dark', 'light'] as const;
const tints: readonly Tint[] = ['code', 'added', 'removed', 'userText'];

/** Each tone on each color it is drawn on, plain and bold: the backgrounds, and over each the row of the cursor and each tint. */
function pairs(made: Theme, backgrounds: readonly Rgb[]) {
	return backgrounds.flatMap(background => {
		const foreground: Rgb = contrast([0, 0, 0], background) > 4.6 ? [0, 0, 0] : [255, 255, 255];
		return (Object.keys(made.tones) as Tone[]).flatMap(tone =>
			[false, true].flatMap(isSelected =>
				[{}, {bold: true}, ...tints.map(tint => ({tint}))].map(more => {
					const painted = paint([{text: cleanLine('x'), tone, ...more}], made, isSelected);
					const [, sgr = ''] = /^\x1b\[([\d;]*)m/.exec(painted) ?? [];
					const look = readLook(sgr, {foreground, background});
					return {
						tone,
						isSelected,
						...more,
						on: look.background,
						ratio: contrast(look.foreground, look.background),
					};
				}),
			),
		);
	});
}

describe('contrast', () => {
	test.each(depths.flatMap(colors => kinds.map(kind => [kind, colors] as const)))(
		'%s in %s: every tone has at least 4.5:1 on any background such schemes have',
		(kind, colors) => {
			for (const pair of pairs(theme(kind, {colors}), assumed[kind]))
				expect(pair.ratio, JSON.stringify(pair)).toBeGreaterThanOrEqual(4.5);
		},
	);

	test.each(depths.flatMap(colors => kinds.map(kind => [kind, colors] as const)))(
		'high contrast, %s in %s: at least 7:1',
		(kind, colors) => {
			const made = theme('high-contrast', {colors, isDark: kind === 'dark'});
			for (const pair of pairs(made, assumed[kind]))
				expect(pair.ratio, JSON.stringify(pair)).toBeGreaterThanOrEqual(7);
		},
	);

	test.each(
		depths.flatMap(colors => Object.keys(named).map(name => [name as keyof typeof named, colors] as const)),
	)('%s in %s: at least 4.5:1 on its own background, in a light terminal, too', (name, colors) => {
		const made = theme(name, {colors, isDark: false});
		for (const pair of pairs(made, assumed.light))
			expect(pair.ratio, JSON.stringify(pair)).toBeGreaterThanOrEqual(4.5);
		const [own, ansi] = [name, 'ansi' as const].map(one => theme(one, {colors: '16', isDark: false}).tones);
		expect(own).toEqual(ansi);
	});

	test("one's own color replaces the theme's; one that is too faint is named and shown in another shade", () => {
		const input = {theme: 'gruvbox', colors: 'truecolor', isDark: true, isAscii: false} as const;
		const ownColors = {good: [255, 255, 0], dim: [40, 40, 60]} as const;
		const made = themeOf({...input, ownColors});
		expect(made.tones.good).toMatch(/;38;2;255;255;0$/);
		expect(made.tones.bad).toBe(themeOf(input).tones.bad);
		for (const pair of pairs(made, assumed.dark))
			expect(pair.ratio, JSON.stringify(pair)).toBeGreaterThanOrEqual(4.5);
		expect(faintColors({...input, ownColors})).toEqual(['dim']);
		expect(faintColors({...input, theme: 'auto', isDark: false, ownColors})).toEqual(['good']);
		expect(faintColors({...input, colors: '16', ownColors})).toEqual([]);
		expect(themeOf({...input, colors: '16', ownColors}).tones.good).toBe('93');
	});

	test.each(kinds)('16 colors on a %s background: at least 4.5:1 in the palette of xterm', kind => {
		const made = theme('ansi', {isDark: kind === 'dark'});
		for (const pair of pairs(made, [kind === 'dark' ? [0, 0, 0] : [255, 255, 255]]))
			expect(pair.ratio, JSON.stringify(pair)).toBeGreaterThanOrEqual(4.5);
	});

	test('is sufficient on any background that the terminal reports', () => {
		const channel = fc.integer({min: 0, max: 255});
		fc.assert(
			fc.property(fc.tuple(channel, channel, channel), fc.constantFrom(...depths), (background, colors) => {
				const isDark = contrast([255, 255, 255], background) >= contrast([0, 0, 0], background);
				for (const pair of pairs(theme('auto', {colors, isDark, background}), [background]))
					expect(pair.ratio, JSON.stringify(pair)).toBeGreaterThanOrEqual(4.5);
			}),
			{numRuns: 200, examples: [[[195, 60, 145], '256']]},
		);
	});

	test("a theme chosen against the terminal's background is made for its own kind", () => {
		const made = theme('light', {isDark: true, background: [0, 0, 0]});
		expect(pairs(made, assumed.light)).toEqual(pairs(theme('light'), assumed.light));
	});
});

test("auto keeps the terminal's background and has colors for it", () => {
	for (const isDark of [true, false]) {
		const {tones} = theme('auto', {isDark});
		expect(tones.text).toBe('');
		expect(Object.values(tones).filter(look => look.startsWith('48;'))).toEqual([]);
	}
	expect(theme('auto', {isDark: false}).tones).not.toEqual(theme('auto', {isDark: true}).tones);
});

test.each(['dark', 'light', 'high-contrast'] as const)(
	"%s paints one background under everything, whatever the terminal's is",
	name => {
		for (const colors of depths)
			for (const isDark of [true, false]) {
				const made = theme(name, {colors, isDark, background: isDark ? [9, 9, 9] : [250, 240, 230]});
				const [ground] = /^48;(?:2;\d+;\d+;\d+|5;\d+);/.exec(made.tones.text) ?? [];
				for (const look of Object.values(made.tones)) expect(look.startsWith(`${ground}38;`)).toBe(true);
				// A chart's cell has the tone's color behind it.
				const cell = paint([{text: cleanLine('x'), tone: 'good', background: 'bad'}], made);
				expect(cell).toContain(made.tones.bad.replace(`${ground}38;`, '48;'));
			}
	},
);

test('draws what is under a dialog in one style, neither bold nor inverse', () => {
	const faint = dimmed(theme('dark'));
	const row: Line = [{text: cleanLine('a'), tone: 'good', bold: true, inverse: true}, {text: cleanLine('b')}];
	expect(paint(row, faint, true)).toBe(paint([{text: cleanLine('a')}, {text: cleanLine('b')}], faint));
	expect(faint.tones.bad).toBe(theme('dark').tones.dim);
});

test('marks the focused pane by more than color if colors are few or strong', () => {
	expect(['ansi', 'none', 'high-contrast'].map(name => theme(name as ThemeName).hasHeavyFocus)).toEqual([
		true,
		true,
		true,
	]);
});
