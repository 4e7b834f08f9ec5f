import type {ActionName} from '../../keys/bindings.ts';
import {type UsageTab, usageTabs} from '../../state/organization-reading.ts';
import {type Line, lineWidth, type Span, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';

/** Titles of the tabs, the letter that opens each marked. */
const titles: Readonly<Record<UsageTab, readonly [before: Safe, key: Safe, after: Safe]>> = {
	credits: [safe``, safe`c`, safe`redits`],
	adoption: [safe``, safe`a`, safe`doption`],
	autonomy: [safe`a`, safe`u`, safe`tonomy`],
	output: [safe``, safe`o`, safe`utput`],
	tools: [safe``, safe`t`, safe`ools`],
	people: [safe``, safe`p`, safe`eople`],
};

/**
 * The tabs by the letters that open them; the open one is in brackets, so that it is told without colour. Where they are
 * too wide, the others are their letters alone.
 */
export function tabsLine(open: UsageTab, width: number): Line {
	return tabSpans(open, width).flat();
}

/** What opens the tab at a column of their line. */
export function tabActionAt(column: number, open: UsageTab, width: number): ActionName | undefined {
	let end = 0;
	const index = tabSpans(open, width).findIndex(spans => {
		end += lineWidth(spans);
		return column < end;
	});
	const tab = usageTabs[index];
	return tab && `tab-${tab}`;
}

function tabSpans(open: UsageTab, width: number): Span[][] {
	const whole = usageTabs.map(name => spansOf(name, name === open, true));
	return lineWidth(whole.flat()) <= width
		? whole
		: usageTabs.map(name => spansOf(name, name === open, name === open));
}

function spansOf(name: UsageTab, isOpen: boolean, isWhole: boolean): Span[] {
	const [before, key, after] = titles[name];
	const tone = isOpen ? 'accent' : 'dim';
	const isLast = name === usageTabs.at(-1);
	return [
		span(isOpen ? safe`[` : safe` `, 'accent'),
		...(isWhole ? [span(before, tone)] : []),
		span(key, isOpen ? 'accent' : 'strong', {bold: true}),
		...(isWhole ? [span(after, tone)] : []),
		span(isLast ? (isOpen ? safe`]` : safe``) : isOpen ? safe`] ` : safe`  `, 'accent'),
	];
}
