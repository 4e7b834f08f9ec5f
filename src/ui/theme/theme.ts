import {type ColorName, type Rgb, sixteenColors} from '../../domain/display.ts';
import type {Display} from '../../state/view/display.ts';
import {inAscii} from '../../text/cells/ascii.ts';
import type {Line, Span, Tint, Tone} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {screenReaderText} from '../../text/cells/screen-reader-text.ts';
import {
	black,
	type ColorCoding,
	contrast,
	indexedColors,
	isDarkColor,
	luminance,
	mix,
	trueColor,
	white,
	worstContrast,
} from './colors.ts';
import {
	ansi,
	assumed,
	dark,
	type Ground,
	grounds,
	light,
	named,
	type Palette,
	rowTint,
	vividDark,
	vividLight,
} from './palettes.ts';

/** Minimum contrast of every tone with its background (WCAG 2.2, 1.4.3), and of the high-contrast theme (1.4.6). */
const readable = 4.5;
const veryReadable = 7;

/** Number of mixtures that `fitColor` tries. */
const fitSteps = 32;
/** How far the background of code is from the terminal's towards that of the cursor's row. */
const codeTint = 0.4;
/** How far other tints are from the terminal's background towards a color of the palette. */
const tints = {
	added: ['good', 0.16],
	addedWords: ['good', 0.36],
	removed: ['bad', 0.18],
	removedWords: ['bad', 0.38],
	userText: ['user', 0.12],
} as const;

/** SGR parameters for each tone; an empty string means the terminal's default. */
type Looks = Readonly<Record<Tone, string>>;

export type Theme = {
	readonly tones: Looks;
	/** The same on the cursor's row, including its background color. */
	readonly selected: Looks;
	/** The same on the backgrounds of code and the like. */
	readonly tinted: (tint: Tint) => Looks;
	/** The cursor's row is inverse, so inverse text in it is shown normally. */
	readonly isSelectedInverse: boolean;
	/** A heavy frame marks the focused pane, in addition to its color. */
	readonly hasHeavyFocus: boolean;
	/** Bold text has no color: many terminals show bold as the bright variant, which is too faint on white. */
	readonly isBoldPlain: boolean;
	readonly isAscii: boolean;
	/** For a screen reader: no frames, words instead of symbols. */
	readonly isScreenReader: boolean;
	/** Everything is drawn in one faint look: what is under a dialog. */
	readonly isDimmed?: true;
};

export type ThemeInput = Pick<
	Display,
	'theme' | 'ownColors' | 'colors' | 'isDark' | 'isAscii' | 'background'
> &
	Partial<Pick<Display, 'isScreenReader'>>;

const colorOf: Readonly<Record<Exclude<Tone, 'text'>, ColorName>> = {
	dim: 'dim',
	strong: 'strong',
	accent: 'accent',
	good: 'good',
	warn: 'warn',
	bad: 'bad',
	info: 'info',
	user: 'user',
	assistant: 'accent',
	tool: 'info',
	code: 'code',
	heading: 'accent',
	selected: 'strong',
	border: 'border',
};
const boldTones: readonly Tone[] = ['strong', 'heading', 'selected'];

/** The chosen theme, adapted to the terminal's capabilities. Colors keep their contrast on the reported background. */
export function themeOf(input: ThemeInput): Theme {
	return {...colorsOf(input), isAscii: input.isAscii, isScreenReader: input.isScreenReader ?? false};
}

/** The same theme for what is under a dialog. */
export function dimmed(theme: Theme): Theme {
	const faint = theme.tones.dim === '' ? '2' : theme.tones.dim;
	const looks = Object.fromEntries(
		Object.entries(theme.tones).map(([tone, look]) => [tone, tone === 'border' ? look : faint]),
	) as Looks;
	return {...theme, tones: looks, selected: looks, tinted: () => looks, isDimmed: true};
}

/** Own colors that are too faint on the background, which are therefore shown in another shade. */
export function faintColors(input: ThemeInput): ColorName[] {
	if (!hasBackgrounds(input)) return [];
	const ground = groundOf(input);
	const lights = (ground ? [ground.ground] : terminalGrounds(input)).map(luminance);
	const least = input.theme === 'high-contrast' ? veryReadable : readable;
	return (Object.entries(input.ownColors ?? {}) as [ColorName, Rgb][])
		.filter(([, color]) => worstContrast(color, lights) < least)
		.map(([name]) => name);
}

/** Whether backgrounds can have the tones' colors: 16 colors are too few to tell them all apart. */
export function hasBackgrounds({theme, colors}: ThemeInput): boolean {
	return theme !== 'none' && theme !== 'ansi' && colors !== 'none' && colors !== '16';
}

/** One row as a string for one `<Text>`. All styles are closed before the row ends. */
export function paint(line: Line, theme: Theme, isSelected = false): string {
	return line.map(span => styled(wordsOf(span.text, theme), lookOf(span, theme, isSelected))).join('');
}

/** A text in a look of a theme, closed at its end. */
export function styled(text: string, look: string): string {
	return look === '' ? text : `\x1b[${look}m${text}\x1b[0m`;
}

function wordsOf(text: Safe, {isScreenReader, isAscii}: Theme): Safe {
	if (isScreenReader) return screenReaderText(text);
	return isAscii ? inAscii(text) : text;
}

function lookOf(
	{tone = 'text', bold, isItalic, inverse, background, tint}: Span,
	theme: Theme,
	isSelected: boolean,
): string {
	if (theme.isDimmed) return theme.tones[tone];
	const isInverseCanceled = inverse && isSelected && theme.isSelectedInverse;
	const isOnRow = isSelected && !isInverseCanceled;
	const isBold = bold || boldTones.includes(tone);
	const own = (isOnRow ? theme.selected : tint ? theme.tinted(tint) : theme.tones)[tone];
	const look = isBold && theme.isBoldPlain && !isOnRow ? '' : own;
	const ground = background ? asBackground(theme.tones[background]) : '';
	return [look, ground, isBold ? '1' : '', isItalic ? '3' : '', inverse && !isInverseCanceled ? '7' : '']
		.filter(part => part !== '')
		.join(';');
}

/** The SGR parameters of a background in the color of a text. */
function asBackground(foreground: string): string {
	return foreground.replace(/^(?:48;(?:2;\d+;\d+;\d+|5;\d+);)?38;/, '48;');
}

const plain = looks(() => '', '');

type Colors = Omit<Theme, 'isAscii' | 'isScreenReader'>;

function colorsOf(input: ThemeInput): Colors {
	const {theme, colors, ownColors = {}} = input;
	const isOnDark = isDrawnOnDark(input);
	if (theme === 'none' || colors === 'none') return {...inverseRows(() => ''), tinted: () => plain};
	if (theme === 'ansi' || colors === '16') {
		const sixteen = ansi[isOnDark ? 'dark' : 'light'];
		const own = (name: ColorName) => ownColors[name] && nearestOfSixteen(ownColors[name]);
		return inverseRows(name => own(name) ?? sixteen[name], {isBoldPlain: !isOnDark});
	}
	const coding = colors === '256' ? indexedColors : trueColor;
	const ground = groundOf(input);
	const painted = ground && paintedGround(ground, coding);
	if (painted && theme === 'high-contrast') {
		const palette = {...(isOnDark ? vividDark : vividLight), ...ownColors};
		const vivid = fitted(palette, [painted.ground], veryReadable, coding);
		return inverseRows(name => `${painted.background};${vivid(name)}`, {text: painted.look});
	}
	const palette = {...(namedTheme(theme)?.palette ?? (isOnDark ? dark : light)), ...ownColors};
	return tinted(palette, painted ? [painted.ground] : terminalGrounds(input), coding, painted);
}

function isDrawnOnDark({theme, isDark}: ThemeInput): boolean {
	return theme === 'dark' || (theme !== 'light' && isDark);
}

function namedTheme(theme: ThemeInput['theme']) {
	return Object.hasOwn(named, theme) ? named[theme as keyof typeof named] : undefined;
}

/** The ground that the theme paints; `auto` paints none. */
function groundOf(input: ThemeInput): Ground | undefined {
	const isOnDark = isDrawnOnDark(input);
	if (input.theme === 'auto') return undefined;
	if (input.theme === 'high-contrast') return grounds[isOnDark ? 'vividDark' : 'vividLight'];
	return namedTheme(input.theme) ?? grounds[isOnDark ? 'dark' : 'light'];
}

/** The terminal's own background, or what it may be. */
function terminalGrounds(input: ThemeInput): readonly Rgb[] {
	const isOnDark = isDrawnOnDark(input);
	const {background} = input;
	const isKnown = background !== undefined && isDarkColor(background) === isOnDark;
	return isKnown ? [background] : assumed[isOnDark ? 'dark' : 'light'];
}

/** SGR parameters of the nearest of the sixteen colors. */
function nearestOfSixteen(color: Rgb): string {
	const distances = Object.values(sixteenColors).map(one =>
		one.reduce((sum, value, index) => sum + (value - (color[index] ?? 0)) ** 2, 0),
	);
	const nearest = distances.indexOf(Math.min(...distances));
	return String(nearest < 8 ? 30 + nearest : 82 + nearest);
}

/** A background as the terminal shows it, its SGR parameters, and those of text on it. */
type PaintedGround = {readonly ground: Rgb; readonly background: string; readonly look: string};

function paintedGround({text, ground}: Ground, coding: ColorCoding): PaintedGround {
	const background = `48;${coding.sgr(ground)}`;
	return {ground: coding.shown(ground), background, look: `${background};38;${coding.sgr(text)}`};
}

/** One background; the cursor's row inverts it and the text's color, so it is always readable. */
function inverseRows(
	foreground: (name: ColorName) => string,
	{isBoldPlain = false, text = ''}: {readonly isBoldPlain?: boolean; readonly text?: string} = {},
): Colors {
	const tones = looks(foreground, text);
	const inverse = text === '' ? '7' : `${text};7`;
	return {
		tones,
		tinted: onFirstUse(tint => (isOfWords(tint) ? underlined(tones) : tones)),
		selected: looks(() => inverse, inverse),
		isSelectedInverse: true,
		hasHeavyFocus: true,
		isBoldPlain,
	};
}

function tinted(
	palette: Palette,
	backgrounds: readonly Rgb[],
	coding: ColorCoding,
	painted?: PaintedGround,
): Colors {
	const row = rowColor(backgrounds, rowTint, readable, coding);
	const code = tintColor(backgrounds, [row, codeTint], row, coding);
	const grounds = [...backgrounds, coding.shown(row), coding.shown(code)];
	const foreground = fitted(palette, grounds, readable, coding);
	const on = (ground: Rgb) => (name: ColorName) => `48;${coding.sgr(ground)};${foreground(name)}`;
	const onRow = on(row);
	return {
		tones: painted
			? looks(name => `${painted.background};${foreground(name)}`, painted.look)
			: looks(foreground, ''),
		selected: looks(onRow, onRow('strong')),
		tinted: onFirstUse(tint => {
			if (tint === 'code') return looks(on(code), on(code)('code'));
			const [name, share] = tints[tint];
			const ground = tintColor(backgrounds, [palette[name], share], row, coding);
			const text = fitted(palette, [coding.shown(ground)], readable, coding);
			const onTint = (color: ColorName) => `48;${coding.sgr(ground)};${text(color)}`;
			return looks(onTint, onTint('strong'));
		}),
		isSelectedInverse: false,
		hasHeavyFocus: false,
		isBoldPlain: false,
	};
}

/** The palette's colors as text on `grounds`. Several tones share a color, so each color is computed once. */
function fitted(
	palette: Palette,
	grounds: readonly Rgb[],
	minContrast: number,
	coding: ColorCoding,
): (name: ColorName) => string {
	const made = new Map<ColorName, string>();
	const end = textEnd(grounds);
	const lights = grounds.map(luminance);
	return name => {
		const sgr =
			made.get(name) ?? `38;${coding.sgr(fitColor(palette[name], end, lights, minContrast, coding))}`;
		made.set(name, sgr);
		return sgr;
	};
}

/** Where backgrounds are one, changed words are underlined instead. */
function isOfWords(tint: Tint): boolean {
	return tint === 'addedWords' || tint === 'removedWords';
}

function underlined(tones: Looks): Looks {
	const underline = (look: string) => (look === '' ? '4' : `${look};4`);
	return Object.fromEntries(Object.entries(tones).map(([tone, look]) => [tone, underline(look)])) as Looks;
}

/** Few tints are on the screen at a time. */
function onFirstUse(looksOf: (tint: Tint) => Looks): (tint: Tint) => Looks {
	const made = new Map<Tint, Looks>();
	return tint => {
		const looks = made.get(tint) ?? looksOf(tint);
		made.set(tint, looks);
		return looks;
	};
}

/** `text` is for text without a tone: the terminal's own color, or the readable one on the cursor's row. */
function looks(foreground: (name: ColorName) => string, text: string): Looks {
	const tones = Object.entries(colorOf).map(([tone, name]) => [tone, foreground(name)]);
	return {text, ...Object.fromEntries(tones)} as Looks;
}

/**
 * Moves a color towards `end`, white or black, only as far as needed to be readable on grounds of these luminances: its
 * contrast with each, as the terminal shows it, is at least `minContrast`. If no color reaches that, returns
 * the closest one.
 */
function fitColor(
	color: Rgb,
	end: Rgb,
	grounds: readonly number[],
	minContrast: number,
	coding: ColorCoding,
): Rgb {
	for (let step = 0; step < fitSteps; step++) {
		const mixed = mix(color, end, step / fitSteps);
		if (worstContrast(coding.shown(mixed), grounds) >= minContrast) return mixed;
	}
	return end;
}

/**
 * The color of the cursor's row: the background mixed with some of `tint`. If that leaves too little contrast
 * for any text, as on gray, moves the row away from the text color as far as needed.
 */
function rowColor(backgrounds: readonly Rgb[], tint: Rgb, minContrast: number, coding: ColorCoding): Rgb {
	const end = textEnd(backgrounds);
	const nearest = backgrounds.at(-1) ?? black;
	const tinted = mix(nearest, tint, 0.2);
	if (contrast(end, coding.shown(tinted)) >= minContrast) return tinted;
	const away = end === white ? black : white;
	for (let share = 0.2; share < 1; share += 0.1) {
		const moved = mix(nearest, away, share);
		if (contrast(end, coding.shown(moved)) >= minContrast) return moved;
	}
	return away;
}

/** A background between the terminal's and another color; `row`, the cursor's, if no text is readable on it. */
function tintColor(
	backgrounds: readonly Rgb[],
	[to, share]: readonly [Rgb, number],
	row: Rgb,
	coding: ColorCoding,
): Rgb {
	const between = mix(backgrounds.at(-1) ?? black, to, share);
	return contrast(textEnd(backgrounds), coding.shown(between)) >= readable ? between : row;
}

/** White or black, whichever text is nearer to. */
function textEnd(grounds: readonly Rgb[]): Rgb {
	return isDarkColor(grounds[0] ?? black) ? white : black;
}
