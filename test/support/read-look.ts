import type {Rgb} from '../../src/domain/display.ts';
import {indexed} from '../../src/ui/theme/colors.ts';

type Pair = {readonly foreground: Rgb; readonly background: Rgb};

/** The sixteen as xterm shows them unless it is told otherwise (XTerm-col.ad). */
const xterm: readonly Rgb[] = [
	[0, 0, 0],
	[205, 0, 0],
	[0, 205, 0],
	[205, 205, 0],
	[0, 0, 238],
	[205, 0, 205],
	[0, 205, 205],
	[229, 229, 229],
	[127, 127, 127],
	[255, 0, 0],
	[0, 255, 0],
	[255, 255, 0],
	[92, 92, 255],
	[255, 0, 255],
	[0, 255, 255],
	[255, 255, 255],
];

/** The two colors that a terminal shows for SGR parameters, bold as bright; `own` are the terminal's. */
export function readLook(sgr: string, own: Pair): Pair {
	let {foreground, background} = own;
	let isInverse = false;
	const codes = sgr.split(';').filter(Boolean).map(Number);
	const isBold = /(^|;)1($|;)/.test(sgr.replace(/[34]8;2;\d+;\d+;\d+|[34]8;5;\d+/g, ''));
	for (let code = codes.shift(); code !== undefined; code = codes.shift()) {
		if (code === 7) isInverse = true;
		else if (code === 38) foreground = extended(codes);
		else if (code === 48) background = extended(codes);
		else if (code >= 30 && code <= 37) foreground = xterm[code - 30 + (isBold ? 8 : 0)] as Rgb;
		else if (code >= 90 && code <= 97) foreground = xterm[code - 82] as Rgb;
		else if (code !== 1) throw new Error(`SGR ${code} in ${sgr} is not known here`);
	}
	return isInverse ? {foreground: background, background: foreground} : {foreground, background};
}

/** What follows 38 or 48. */
function extended(codes: number[]): Rgb {
	if (codes.shift() === 5) return indexed(codes.shift() as number);
	return codes.splice(0, 3) as unknown as Rgb;
}
