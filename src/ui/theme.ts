import type {ColorDepth} from '../domain/display.ts';
import type {Display} from '../state/display.ts';
import type {Line, Tone} from '../text/line.ts';

/** What each tone looks like, as SGR parameters; an empty string is the terminal's own look. */
export type Theme = {
	readonly tones: Readonly<Record<Tone, string>>;
	/** Laid under a whole row: the row of the cursor. */
	readonly selectedRow: string;
};

/** Dark, calm: one accent, three signals, everything else in shades of grey. */
const palette = {
	strong: [0xe6, 0xe9, 0xf2],
	dim: [0x7c, 0x84, 0x9a],
	accent: [0x8a, 0xad, 0xf4],
	good: [0x9d, 0xce, 0x8b],
	warn: [0xe8, 0xb8, 0x6d],
	bad: [0xf0, 0x7d, 0x8c],
	info: [0x86, 0xc8, 0xd8],
	user: [0xc3, 0xa6, 0xf2],
	code: [0xb6, 0xc2, 0xdd],
	border: [0x41, 0x48, 0x5e],
	selectedRow: [0x26, 0x2d, 0x42],
} as const satisfies Record<string, readonly [number, number, number]>;

type Color = keyof typeof palette;

/** Nearest of the sixteen: the user's own palette then says what they look like. */
const sixteen: Record<Color, number> = {
	strong: 97,
	dim: 90,
	accent: 94,
	good: 32,
	warn: 33,
	bad: 31,
	info: 36,
	user: 35,
	code: 37,
	border: 90,
	selectedRow: 100,
};

/** The dark theme in as many colours as the terminal has. `none` keeps bold and inverse: they are no colours. */
export function darkTheme(depth: ColorDepth): Theme {
	const color = (name: Color) => foreground(name, depth);
	const bold = (sgr: string) => (sgr === '' ? '1' : `1;${sgr}`);
	return {
		tones: {
			text: '',
			dim: color('dim'),
			strong: bold(color('strong')),
			accent: color('accent'),
			good: color('good'),
			warn: color('warn'),
			bad: color('bad'),
			info: color('info'),
			user: color('user'),
			assistant: color('accent'),
			tool: color('info'),
			code: color('code'),
			heading: bold(color('accent')),
			selected: bold(color('strong')),
			border: color('border'),
		},
		selectedRow: depth === 'none' ? '7' : background('selectedRow', depth),
	};
}

/** The theme that is wanted, on what the terminal can. */
export function themeOf({theme, colors}: Pick<Display, 'theme' | 'colors' | 'isDark' | 'isAscii'>): Theme {
	return darkTheme(theme === 'none' ? 'none' : theme === 'ansi' && colors !== 'none' ? '16' : colors);
}

/** One row as one string for one `<Text>`. Every look is closed before the row ends. */
export function paint(line: Line, theme: Theme, isSelected = false): string {
	const under = isSelected ? theme.selectedRow : '';
	let painted = '';
	for (const span of line) {
		const looks = [
			under,
			span.tone ? theme.tones[span.tone] : '',
			span.bold ? '1' : '',
			span.inverse ? '7' : '',
		];
		const sgr = looks.filter(look => look !== '').join(';');
		painted += sgr === '' ? span.text : `\x1b[${sgr}m${span.text}\x1b[0m`;
	}
	return painted;
}

function foreground(name: Color, depth: ColorDepth): string {
	const [r, g, b] = palette[name];
	if (depth === 'truecolor') return `38;2;${r};${g};${b}`;
	if (depth === '256') return `38;5;${nearest256(r, g, b)}`;
	return depth === '16' ? String(sixteen[name]) : '';
}

function background(name: Color, depth: Exclude<ColorDepth, 'none'>): string {
	const [r, g, b] = palette[name];
	if (depth === 'truecolor') return `48;2;${r};${g};${b}`;
	return depth === '256' ? `48;5;${nearest256(r, g, b)}` : String(sixteen[name]);
}

/** Index in xterm's 6x6x6 cube or its grey ramp, whichever is nearer. */
function nearest256(r: number, g: number, b: number): number {
	const levels = [0, 95, 135, 175, 215, 255];
	const step = (value: number) =>
		levels.reduce(
			(best, level, index) =>
				Math.abs(level - value) < Math.abs((levels[best] ?? 0) - value) ? index : best,
			0,
		);
	const cube = [step(r), step(g), step(b)] as const;
	const grey = Math.max(0, Math.min(23, Math.round(((r + g + b) / 3 - 8) / 10)));
	const distance = (x: number, y: number, z: number) => (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2;
	const [cr, cg, cb] = cube.map(index => levels[index] ?? 0) as [number, number, number];
	const shade = 8 + grey * 10;
	return distance(shade, shade, shade) < distance(cr, cg, cb)
		? 232 + grey
		: 16 + 36 * cube[0] + 6 * cube[1] + cube[2];
}
