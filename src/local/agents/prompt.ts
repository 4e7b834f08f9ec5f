import type {Turn} from './agent.ts';

/** The message as a model's agent reads it: its text, then where its attachments were saved. */
export function promptOf({text, attachments}: Turn): string {
	if (attachments.length === 0) return text;
	const list = attachments.map(({kind, name, path}) => `- ${kind} ${name}${path ? `: ${path}` : ''}`);
	return `${text}\n\nAttached:\n${list.join('\n')}\n`;
}

/** `--model=...` in one argument, so that no value can be read as another option. */
export function modelArgument({model}: Turn): string[] {
	return model ? [`--model=${model}`] : [];
}
