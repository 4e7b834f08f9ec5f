import type {Rgb} from '../../domain/display.ts';
import type {Display} from '../../state/display.ts';
import {inAscii} from '../../text/ascii.ts';
import type {Line, Span, Tone} from '../../text/line.ts';
import type {Safe} from '../../text/safe.ts';
import {screenReaderText} from '../../text/screen-reader-text.ts';
import {type ColorCoding, direct, indexes} from './color-coding.ts';
import {isDarkColor} from './colors.ts';
import {fitColor, rowColor} from './fit-color.ts';
import {
	ansi,
	assumed,
	type ColorName,
	dark,
	light,
	type Palette,
	rowTint,
	vividDark,
	vividLight,
} from './palettes.ts';

/** What each tone looks like, as SGR parameters; an empty string is the terminal's own look. */
type Looks = Readonly<Record<Tone, string>>;

export type Theme = {
	readonly tones: Looks;
	/** The same on the row of the cursor, the colour under it included. */
	readonly selected: Looks;
	/** The row of the cursor is inverse: what is inverse in it isn't. */
	readonly isSelectedInverse: boolean;
	/** The pane that has the keys is told by a heavy frame too, not by its colour alone. */
	readonly hasHeavyFocus: boolean;
	/** Bold text has no colour: many terminals show bold as the bright of the sixteen, too faint on white. */
	readonly isBoldPlain: boolean;
	readonly isAscii: boolean;
	/** For a screen reader: no frames, words in the place of marks. */
	readonly isScreenReader: boolean;
};

/** What of the display the theme is made from. */
export type ThemeInput = Pick<Display, 'theme' | 'colors' | 'isDark' | 'isAscii' | 'background'> &
	Partial<Pick<Display, 'isScreenReader'>>;

/** Contrast that every tone has with what it is drawn on (WCAG 2.2, 1.4.3), and what the high one has (1.4.6). */
const readable = 4.5;
const veryReadable = 7;

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

/** The theme that is wanted, on what the terminal can. Colours keep their contrast on the background it tells. */
export function themeOf(input: ThemeInput): Theme {
	return {...colorsOf(input), isAscii: input.isAscii, isScreenReader: input.isScreenReader ?? false};
}

type Colors = Omit<Theme, 'isAscii' | 'isScreenReader'>;

function colorsOf({theme, colors, isDark, background}: ThemeInput): Colors {
	const isOnDark = theme === 'dark' || (theme !== 'light' && isDark);
	if (theme === 'none' || colors === 'none') return inverseRows(() => '');
	if (theme === 'ansi' || colors === '16') {
		const sixteen = ansi[isOnDark ? 'dark' : 'light'];
		return inverseRows(name => sixteen[name], !isOnDark);
	}
	// A theme that was chosen against the terminal's word is believed: the answer may be another terminal's.
	const isKnownBackground = background !== undefined && isDarkColor(background) === isOnDark;
	const backgrounds = isKnownBackground ? [background] : assumed[isOnDark ? 'dark' : 'light'];
	const coding = colors === '256' ? indexes : direct;
	if (theme === 'high-contrast') {
		const vivid = isOnDark ? vividDark : vividLight;
		return inverseRows(fitted(vivid, backgrounds, veryReadable, coding));
	}
	return tinted(isOnDark ? dark : light, backgrounds, coding);
}

/** One row as one string for one `<Text>`. Every look is closed before the row ends. */
export function paint(line: Line, theme: Theme, isSelected = false): string {
	let painted = '';
	for (const span of line) {
		const sgr = lookOf(span, theme, isSelected);
		const text = wordsOf(span.text, theme);
		painted += sgr === '' ? text : `\x1b[${sgr}m${text}\x1b[0m`;
	}
	return painted;
}

function wordsOf(text: Safe, {isScreenReader, isAscii}: Theme): Safe {
	if (isScreenReader) return screenReaderText(text);
	return isAscii ? inAscii(text) : text;
}

function lookOf({tone = 'text', bold, inverse}: Span, theme: Theme, isSelected: boolean): string {
	const isTurnedBack = inverse && isSelected && theme.isSelectedInverse;
	const isOnRow = isSelected && !isTurnedBack;
	const isBold = bold || boldTones.includes(tone);
	const own = (isOnRow ? theme.selected : theme.tones)[tone];
	const look = isBold && theme.isBoldPlain && !isOnRow ? '' : own;
	return [look, isBold ? '1' : '', inverse && !isTurnedBack ? '7' : ''].filter(part => part !== '').join(';');
}

/** Colours alone, and a row of the cursor that is the terminal's own text the other way round: always readable. */
function inverseRows(foreground: (name: ColorName) => string, isBoldPlain = false): Colors {
	return {
		tones: looks(foreground, ''),
		selected: looks(() => '7', '7'),
		isSelectedInverse: true,
		hasHeavyFocus: true,
		isBoldPlain,
	};
}

function tinted(palette: Palette, backgrounds: readonly Rgb[], coding: ColorCoding): Colors {
	const row = rowColor(backgrounds, rowTint, readable, coding);
	const grounds = [...backgrounds, coding.shown(row)];
	const foreground = fitted(palette, grounds, readable, coding);
	const under = `48;${coding.sgr(row)}`;
	const onRow = (name: ColorName) => `${under};${foreground(name)}`;
	return {
		tones: looks(foreground, ''),
		selected: looks(onRow, onRow('strong')),
		isSelectedInverse: false,
		hasHeavyFocus: false,
		isBoldPlain: false,
	};
}

/** The colours of a palette as text on `grounds`: several tones share one, and each is made once. */
function fitted(
	palette: Palette,
	grounds: readonly Rgb[],
	minContrast: number,
	coding: ColorCoding,
): (name: ColorName) => string {
	const made = new Map<ColorName, string>();
	return name => {
		const sgr = made.get(name) ?? `38;${coding.sgr(fitColor(palette[name], grounds, minContrast, coding))}`;
		made.set(name, sgr);
		return sgr;
	};
}

/** `text` is what has no tone: the terminal's own colour, or the one that is read on the cursor's row. */
function looks(foreground: (name: ColorName) => string, text: string): Looks {
	const tones = Object.entries(colorOf).map(([tone, name]) => [tone, foreground(name)]);
	return {text, ...Object.fromEntries(tones)} as Looks;
}
