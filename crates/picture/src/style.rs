//! How pictures look: their style sheets and the light of the lamps.

const LIGHT: &str = ".gw{font-family:system-ui,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}\
.gw .ground{fill:#fff}\
.gw .under{fill:#e4e7ed}\
.gw .tile,.gw .tray,.gw .knob{fill:#e4e7ed;stroke:#a4abb8;stroke-width:.6}.gw .tile{fill:url(#gw-tile) #e4e7ed}\
.gw .lens{fill:url(#gw-lens) #d3d8e1;stroke:#bcc3cf;stroke-width:.6}\
.gw .strip{fill:#c9d0dc;stroke:#5b6475;stroke-width:1.5}\
.gw .turning{fill:none;stroke:#5b6475;stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}\
.gw .grid{stroke:#9aa2b1;stroke-width:1.5;fill:none}\
.gw .point{fill:#6b7484}\
.gw .r{fill:url(#gw-r) #c4232f;stroke:#7d0f18;stroke-width:1}\
.gw .y{fill:url(#gw-y) #ffc928;stroke:#8a6900;stroke-width:1}\
.gw .g{fill:url(#gw-g) #14793a;stroke:#0a4721;stroke-width:1}\
.gw .on-r,.gw .on-g{stroke:#fff;stroke-opacity:.4;stroke-width:1.8;fill:none}\
.gw .on-y{fill:#6b5200;fill-opacity:.5}\
.gw .cylinder{fill:none;stroke:#1c2330;stroke-width:3.5}\
.gw .letter-r,.gw .letter-g{fill:#fff;font-weight:800}\
.gw .letter-y{fill:#2b2000;font-weight:800}\
.gw .label,.gw .note{fill:#414a5a}.gw .label{font-weight:600}\
.gw .halo{fill:#14181f;fill-opacity:.17}\
.gw .quick,.gw .keeps{fill:none;stroke:#1746c7;stroke-width:1.1}\
.gw .quick{stroke-width:1.7;stroke-linecap:round;stroke-dasharray:2 3.875}\
.gw .number{fill:#14181f;stroke:#fff;stroke-width:1}.gw .on-number{fill:#fff;font-weight:700}.gw .on-number.drawn{fill:none;stroke:#fff}\
.gw .number.fault{fill:#8f1d1d}.gw .suggested{fill:#fff;stroke:#1746c7;stroke-width:1.6}\
.gw .chosen{fill:none;stroke:#14181f;stroke-width:3}.gw .target{fill:none;stroke:#14181f;stroke-width:2;stroke-dasharray:4 4}\
.gw .rim{fill:none;stroke:#14181f;stroke-width:1.5;stroke-dasharray:3 2.2}.gw rect.rim{stroke-width:2;stroke-dasharray:none}\
.gw .of-loss{stroke:#8a4206}.gw .of-draw,.gw .of-plain{stroke:#525b6b}\
.gw .won-edge{stroke:#fff;stroke-width:8;stroke-opacity:.9;fill:none;stroke-linecap:round}\
.gw .won{stroke:#14181f;stroke-width:4;fill:none;stroke-linecap:round}\
.gw .arrow{stroke:#1746c7;stroke-width:2.6;stroke-linecap:round;stroke-linejoin:round;fill:none;stroke-opacity:.85;pointer-events:none}\
.gw .threat-edge{stroke:#fff;stroke-width:6;fill:none;pointer-events:none}\
.gw .threat{stroke:#14181f;stroke-width:3;stroke-dasharray:7 4;fill:none;pointer-events:none}\
.gw .win{fill:#1746c7}.gw .draw,.gw .plain{fill:#525b6b}.gw .loss{fill:#8a4206}\
.gw .win.soft{fill:#dbe4fb}.gw .draw.soft,.gw .plain.soft{fill:#f4f5f7}.gw .loss.soft{fill:#f8e6cf}\
.gw .badge{stroke:#e4e7ed;stroke-width:2.4;paint-order:stroke}\
.gw .on-win,.gw .on-draw,.gw .on-plain,.gw .on-loss{fill:#fff;font-weight:700}\
.gw .on-win.soft{fill:#1746c7}.gw .on-draw.soft,.gw .on-plain.soft{fill:#414a5a}.gw .on-loss.soft{fill:#8a4206}\
.gw .drawn{stroke-linecap:round;stroke-linejoin:round}\
.gw .letter-r.drawn,.gw .letter-g.drawn,.gw .on-win.drawn,.gw .on-draw.drawn,.gw .on-plain.drawn,\
.gw .on-loss.drawn{fill:none;stroke:#fff}\
.gw .on-win.soft.drawn{stroke:#1746c7}.gw .on-draw.soft.drawn,.gw .on-plain.soft.drawn{stroke:#414a5a}\
.gw .on-loss.soft.drawn{stroke:#8a4206}\
.gw .letter-y.drawn{fill:none;stroke:#2b2000}\
.gw .label.drawn,.gw .note.drawn{fill:none;stroke:#414a5a}\
.gw .ghost{opacity:0}.gw a:hover+g .ghost,.gw a:focus-visible+g .ghost,.gw .ghost.shown{opacity:1}.gw .next{opacity:.6}.gw .ghost.reply{opacity:.85}";

const DARK: &str = ".gw .ground{fill:#12161c}\
.gw .under{fill:#252d38}\
.gw .tile,.gw .tray,.gw .knob{fill:#252d38;stroke:#465060}.gw .tile{fill:url(#gw-tile-dark) #252d38}\
.gw .lens{fill:url(#gw-lens-dark) #333d4c;stroke:#3f4a5b}\
.gw .strip,.gw .turning{stroke:#a3adbd}.gw .strip{fill:#3a4554}\
.gw .grid{stroke:#5d6777}\
.gw .point{fill:#a3adbd}\
.gw .cylinder{stroke:#f2f4f8}\
.gw .label,.gw .note{fill:#c3cad6}\
.gw .halo{fill:#fff;fill-opacity:.2}\
.gw .quick,.gw .keeps,.gw .arrow{stroke:#9dbaff}\
.gw .number{fill:#fff;stroke:#12161c}.gw .on-number{fill:#12161c}.gw .on-number.drawn{fill:none;stroke:#12161c}\
.gw .number.fault{fill:#ffb4a8}.gw .suggested{fill:#12161c;stroke:#9dbaff}\
.gw .chosen,.gw .target,.gw .rim{stroke:#fff}\
.gw .of-loss{stroke:#fdba74}.gw .of-draw,.gw .of-plain{stroke:#aab3c2}\
.gw .won-edge,.gw .threat-edge{stroke:#12161c}.gw .won,.gw .threat{stroke:#fff}\
.gw .win{fill:#9dbaff}.gw .draw,.gw .plain{fill:#aab3c2}.gw .loss{fill:#fdba74}\
.gw .win.soft{fill:#1d2b4f}.gw .draw.soft,.gw .plain.soft{fill:#36404f}.gw .loss.soft{fill:#3d2b1a}\
.gw .badge{stroke:#252d38}\
.gw .on-win,.gw .on-draw,.gw .on-plain,.gw .on-loss{fill:#10141b}\
.gw .on-win.soft{fill:#9dbaff}.gw .on-draw.soft,.gw .on-plain.soft{fill:#d5dbe4}.gw .on-loss.soft{fill:#fdba74}\
.gw .on-win.drawn,.gw .on-draw.drawn,.gw .on-plain.drawn,.gw .on-loss.drawn{fill:none;stroke:#10141b}\
.gw .on-win.soft.drawn{stroke:#9dbaff}.gw .on-draw.soft.drawn,.gw .on-plain.soft.drawn{stroke:#d5dbe4}\
.gw .on-loss.soft.drawn{stroke:#fdba74}\
.gw .label.drawn,.gw .note.drawn{fill:none;stroke:#c3cad6}";

/// How lights shine and how squares are lit from above: gradients that the style sheet names. A page has them once for
/// all its pictures.
pub const LAMPS: &str = "<defs>\
<radialGradient id=\"gw-r\" cx=\".36\" cy=\".28\" r=\".85\"><stop offset=\"0\" stop-color=\"#f0656b\"/>\
<stop offset=\".5\" stop-color=\"#c9242f\"/><stop offset=\"1\" stop-color=\"#8a1019\"/></radialGradient>\
<radialGradient id=\"gw-y\" cx=\".36\" cy=\".28\" r=\".85\"><stop offset=\"0\" stop-color=\"#fff2b0\"/>\
<stop offset=\".5\" stop-color=\"#ffc928\"/><stop offset=\"1\" stop-color=\"#cf9200\"/></radialGradient>\
<radialGradient id=\"gw-g\" cx=\".36\" cy=\".28\" r=\".85\"><stop offset=\"0\" stop-color=\"#43b874\"/>\
<stop offset=\".5\" stop-color=\"#157d3d\"/><stop offset=\"1\" stop-color=\"#08451f\"/></radialGradient>\
<linearGradient id=\"gw-tile\" x2=\"0\" y2=\"1\"><stop stop-color=\"#eef0f5\"/>\
<stop offset=\"1\" stop-color=\"#dbdfe8\"/></linearGradient>\
<linearGradient id=\"gw-tile-dark\" x2=\"0\" y2=\"1\"><stop stop-color=\"#2d3644\"/>\
<stop offset=\"1\" stop-color=\"#1f262f\"/></linearGradient>\
<radialGradient id=\"gw-lens\" cy=\".62\" r=\".62\"><stop stop-color=\"#dfe3ea\"/>\
<stop offset=\".7\" stop-color=\"#d0d5df\"/><stop offset=\"1\" stop-color=\"#b9c0cd\"/></radialGradient>\
<radialGradient id=\"gw-lens-dark\" cy=\".62\" r=\".62\"><stop stop-color=\"#3a4555\"/>\
<stop offset=\".7\" stop-color=\"#2d3643\"/><stop offset=\"1\" stop-color=\"#1a2028\"/></radialGradient></defs>";

/// Style sheet of pictures that are part of a page: see [`Scheme::Page`](crate::Scheme::Page).
pub const CSS: [&str; 2] = [LIGHT, DARK];
