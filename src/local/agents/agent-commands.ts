import {z} from 'zod';

const maxCommands = 500;
const text = z.string().transform(whole => whole.slice(0, 500));

/** A client's list of commands; those that can't be typed as one word are left out. */
export const agentCommands = z.array(z.unknown()).transform(items =>
	items.slice(0, maxCommands).flatMap(item => {
		const read = command.safeParse(item);
		return read.success ? [read.data] : [];
	}),
);

/** As Claude Code (`argumentHint`) and the Agent Client Protocol (`input`) write it. */
const command = z
	.object({
		name: z.string().regex(/^[^\s/]{1,100}$/),
		description: text.optional().catch(undefined),
		argumentHint: text.optional().catch(undefined),
		input: z.object({hint: text}).nullish().catch(undefined),
	})
	.transform(({name, description, argumentHint, input}) => ({
		name,
		description,
		hint: argumentHint || input?.hint,
	}));
