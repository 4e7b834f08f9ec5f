import {measureCommands} from './commands.ts';
import {measureHook} from './hook.ts';
import {measureHookToFrame} from './hook-to-frame.ts';
import {measureOrganization} from './organization.ts';
import {formatFigure} from './report.ts';
import {measureScreen} from './screen.ts';
import {measureSession} from './session.ts';
import {measureStream} from './stream.ts';
import {measureWatch} from './watch.ts';

/**
 * `npm run bench [hook] [frame] [commands] [screen] [session] [watch] [stream] [organization]`: figures of the built program as ratios
 * to floors measured in the same rounds, beside their goals. Nothing is asserted: machines differ from minute to minute,
 * ratios less.
 */
const sections = {
	hook: measureHook,
	frame: measureHookToFrame,
	commands: measureCommands,
	screen: measureScreen,
	session: measureSession,
	watch: measureWatch,
	stream: measureStream,
	organization: measureOrganization,
};
const asked = process.argv.slice(2);
for (const [name, measure] of Object.entries(sections)) {
	if (asked.length > 0 && !asked.includes(name)) continue;
	process.stdout.write(`\n${name}\n`);
	for await (const figure of measure()) process.stdout.write(`${formatFigure(figure)}\n`);
}
process.exit(0);
