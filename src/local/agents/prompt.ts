import type {Turn} from './agent.ts';

/** The prompt for a model's agent: the message text, then the paths of its saved attachments. */
export function promptOf({text, attachments}: Turn): string {
	if (attachments.length === 0) return text;
	const list = attachments.map(({kind, name, path}) => `- ${kind} ${name}${path ? `: ${path}` : ''}`);
	return `${text}\n\nAttached:\n${list.join('\n')}\n`;
}

/** Returns `--model=...` as one argument, so that no value can be parsed as another option. */
export function modelArgument({model}: Turn): string[] {
	return model ? [`--model=${model}`] : [];
}
