import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Metafile} from 'esbuild';

/** The licence texts of every package that has a part in the bundle, one after the other. */
export function thirdPartyNotices(inputs: Metafile['inputs']): string {
	const folders = new Set<string>();
	for (const input of Object.keys(inputs)) {
		const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
		if (folder) folders.add(folder);
	}
	return [...folders].sort().map(notice).join('\n');
}

function notice(folder: string): string {
	const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry));
	const text =
		file && existsSync(join(folder, file))
			? readFileSync(join(folder, file), 'utf8').trim()
			: `Licence: ${license}`;
	return `${name} ${version}\n${'-'.repeat(60)}\n${text}\n`;
}
