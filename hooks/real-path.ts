import {lstatSync, readlinkSync} from 'node:fs';
import {isAbsolute, join, parse, sep} from 'node:path';

/** More names than this, with those of links' targets, are a circle or a trap. */
const maxNames = 256;

/**
 * The file that writing to an absolute path would change or create: every link followed, dangling ones too. Undefined if
 * there are too many names to follow.
 */
export function realPath(path: string): string | undefined {
	let {root: real} = parse(path);
	const ahead = namesIn(path);
	for (let count = 0; ahead.length > 0; count++) {
		if (count === maxNames) return undefined;
		const next = join(real, ahead.pop() ?? '');
		const target = linkTarget(next);
		if (target === undefined) real = next;
		else {
			if (isAbsolute(target)) real = parse(target).root;
			ahead.push(...namesIn(target));
		}
	}
	return real;
}

/** The last name first. */
function namesIn(path: string): string[] {
	return path.slice(parse(path).root.length).split(sep).reverse();
}

function linkTarget(path: string): string | undefined {
	try {
		const isLink = lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink();
		return isLink ? readlinkSync(path) : undefined;
	} catch {
		return undefined;
	}
}
