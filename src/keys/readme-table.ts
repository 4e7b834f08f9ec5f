import {bindings} from './bindings.ts';
import {contextTitles} from './help.ts';
import {keyLabel} from './key-label.ts';

/** The key table of the README, as Markdown. */
export function readmeTable(): string {
	const rows = bindings.map(binding => {
		const keys = binding.keys.map(key => `\`${keyLabel(key)}\``).join(' ');
		const places = binding.contexts.map(context => contextTitles[context]).join(', ');
		return `| ${keys} | ${binding.title} | ${places} |`;
	});
	return ['| Key | What it does | Where |', '| --- | --- | --- |', ...rows, ''].join('\n');
}
