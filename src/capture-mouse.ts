import type {Terminal} from './term/terminal.ts';
import type {MouseInput} from './ui/mouse/mouse-input.ts';

/** The terminal's mouse: its reports come while it is on; off, the terminal selects text itself. It begins as off. */
export function captureMouse(terminal: Terminal): MouseInput {
	let isOn = false;
	return {
		isOn: () => isOn,
		turn(on) {
			isOn = on;
			terminal.setReports({focus: true, mouse: on});
		},
		listen: listener => terminal.onMouse(listener),
	};
}
